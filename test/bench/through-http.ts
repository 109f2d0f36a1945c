import { readFile } from 'node:fs/promises'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { buildFacturae } from '../../services/facturae/src/domain/build/build-facturae.ts'
import { signFacturae } from '../../services/facturae/src/signing/sign.ts'
import { fixture, fixtureKey } from '../../services/facturae/test/certificates/fixtures.ts'
import { benchInput } from '../../services/facturae/tools/bench-build.ts'
import { client } from '../e2e/api.ts'
import { startStandaloneProcess, temporaryDataFolder } from '../provision/standalone.ts'
import { type Figure, median, short } from './figure.ts'
import { load } from './load.ts'

const documents = ['factura-digital.pdf', 'factura-irpf.pdf']
const passes = 25
/** So many callers at once keep the threads at work while others wait for the disk. */
const connections = 8

/** What a caller waits for at the door of one process, against the bare work behind it. */
export async function benchThroughHttp(): Promise<Figure[]> {
  const folder = await temporaryDataFolder()
  const house = await startStandaloneProcess(folder.path)
  try {
    const door = { baseUrl: house.demo.base_url, headers: { 'x-api-key': house.demo.api_key } }
    return [await benchExtract(door), await benchConvert(door)]
  } finally {
    await house.kill('SIGTERM')
    await folder.remove()
  }
}

interface Door {
  baseUrl: string
  headers: Record<string, string>
}

/** One-page digital PDFs: the median over the files of each file's own ratio of medians. */
async function benchExtract({ baseUrl, headers }: Door): Promise<Figure> {
  const api = client(baseUrl, headers)
  const files = await Promise.all(
    documents.map(async (name) => ({
      name,
      bytes: await readFile(new URL(`../../samples/${name}`, import.meta.url)),
      ours: [] as number[],
      bare: [] as number[],
    })),
  )
  for (let pass = -5; pass < passes; pass += 1) {
    for (const { name, bytes, ours, bare } of files) {
      const bareMs = await timed(() => textOf(bytes))
      const ourMs = await timed(async () => {
        const answer = await api.upload('/extract', [{ name, bytes }])
        if (answer.status !== 200) throw new Error(`/extract: ${answer.status} ${answer.bytes}`)
      })
      // The first passes warm both.
      if (pass < 0) continue
      bare.push(bareMs)
      ours.push(ourMs)
    }
  }
  return {
    name: 'POST /extract of a digital page, time over bare pdfjs-dist',
    ours: `${short(median(files.map(({ ours }) => median(ours))))} ms`,
    baseline: `${short(median(files.map(({ bare }) => median(bare))))} ms`,
    ratio: median(files.map(({ ours, bare }) => median(ours) / median(bare))),
    target: { atMost: 2.5 },
  }
}

async function textOf(bytes: Buffer): Promise<void> {
  const loading = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  const document = await loading.promise
  const page = await document.getPage(1)
  await page.getTextContent()
  await loading.destroy()
}

/** Signed with a managed certificate, custody and event included. */
async function benchConvert({ baseUrl, headers }: Door): Promise<Figure> {
  const form = new FormData()
  form.append('name', 'bench')
  form.append('password', 'facturae')
  form.append('file', new Blob([new Uint8Array(fixture('natural.p12'))]), 'natural.p12')
  const made = await client(baseUrl, headers).raw('POST', '/certificates', { body: form })
  if (made.status !== 200) throw new Error(`/certificates: ${made.status} ${made.bytes}`)
  const json = { invoice_data: benchInput, sign: true, certificate_id: made.body.certificate_id }
  const key = await fixtureKey()
  const through = () => load({ url: `${baseUrl}/convert-to-facturae`, seconds: 2, connections, headers, json })
  await through()
  inProcess(key, 500)
  const pairs: { bare: number; ours: number }[] = []
  for (let round = 0; round < 5; round += 1) {
    pairs.push({ bare: inProcess(key, 1_000), ours: (await through()).perSecond })
  }
  return {
    name: `POST /convert-to-facturae, signed, ${connections} callers, of build, rules, XSD and signature in process`,
    ours: `${short(median(pairs.map(({ ours }) => ours)))}/s`,
    baseline: `${short(median(pairs.map(({ bare }) => bare)))}/s`,
    ratio: median(pairs.map(({ ours, bare }) => ours / bare)),
    target: { atLeast: 0.3 },
  }
}

function inProcess(key: Awaited<ReturnType<typeof fixtureKey>>, forMs: number): number {
  const started = performance.now()
  let done = 0
  for (; performance.now() - started < forMs; done += 1) {
    const { xml } = buildFacturae(benchInput, { today: '2026-11-21' })
    signFacturae(xml, key, { signedAt: new Date(), known: 'canonical' })
  }
  return (done * 1_000) / (performance.now() - started)
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
