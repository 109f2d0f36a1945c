import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

export interface Answer {
  status: number
  headers: Headers
  body: Record<string, never> & Record<string, unknown>
  bytes: Buffer
}

export type HeaderFields = Record<string, string>

/** A caller of the public door, as an integrator would write it. */
export function client(baseUrl: string, headers: HeaderFields = {}) {
  const call = async (
    method: string,
    path: string,
    init: { body?: NonNullable<RequestInit['body']>; headers?: HeaderFields } = {},
  ): Promise<Answer> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: { ...headers, ...init.headers },
      ...(init.body === undefined ? {} : { body: init.body }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(bytes.toString()) : {},
      bytes,
    }
  }
  return {
    get: (path: string, extra: HeaderFields = {}) => call('GET', path, { headers: extra }),
    delete: (path: string, extra: HeaderFields = {}) => call('DELETE', path, { headers: extra }),
    send: (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body: unknown, extra: HeaderFields = {}) =>
      call(method, path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...extra } }),
    upload: (path: string, files: { name: string; bytes: Uint8Array; field?: string }[], extra: HeaderFields = {}) => {
      const form = new FormData()
      for (const { name, bytes, field = 'file' } of files) form.append(field, new Blob([new Uint8Array(bytes)]), name)
      return call('POST', path, { body: form, headers: extra })
    },
    raw: call,
  }
}

const samples = new URL('../../samples/', import.meta.url)

/** A sample with the truth about it. */
export async function sample(name: string) {
  const bytes = await readFile(new URL(name, samples))
  const truth = JSON.parse(await readFile(new URL(name.replace(/\.\w+$/, '.json'), samples), 'utf8'))
  return { name: basename(name), bytes, truth }
}

export const sampleNames = ['factura-digital.pdf', 'factura-irpf.pdf', 'factura-varias-paginas.pdf', 'foto-movil.jpg']

export const mandatoryFields = [
  'vendor_name',
  'vendor_vat',
  'invoice_number',
  'invoice_date',
  'subtotal',
  'tax',
  'total',
]
