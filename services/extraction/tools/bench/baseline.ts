import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Prediction } from './compare.ts'

const run = promisify(execFile)

/** What `pdftotext -layout` and a few regular expressions make of a PDF; null where the tool is missing. */
export async function baseline(file: string): Promise<Prediction | null> {
  try {
    const { stdout } = await run('pdftotext', ['-layout', file, '-'], { maxBuffer: 32 * 1024 * 1024 })
    return byExpressions(stdout)
  } catch {
    return null
  }
}

function byExpressions(text: string): Prediction {
  const first = (pattern: RegExp) => pattern.exec(text)?.[1]?.trim() ?? null
  const amount = (pattern: RegExp) => {
    const found = first(pattern)
    return found === null ? null : Number(found.replace(/\./g, '').replace(',', '.'))
  }
  const ids = [...text.matchAll(/\b([A-HJNP-SUVW]\d{7}[0-9A-J]|\d{8}[A-Z]|[XYZ]\d{7}[A-Z])\b/g)].map(
    (match) => match[1] ?? '',
  )
  const dates = [...text.matchAll(/\b(\d{2})[/.-](\d{2})[/.-](\d{4})\b/g)].map(
    (match) => `${match[3]}-${match[2]}-${match[1]}`,
  )
  const names = [...text.matchAll(/^\s*(.{3,60}?,? S\.(?:L|A|L\.U|Coop)\.)/gm)].map((match) => match[1]?.trim() ?? '')
  const vat = first(/IVA\D{0,4}(\d{1,2})\s?%/i)
  const irpf = first(/(?:IRPF|Retención)\D{0,12}(\d{1,2})\s?%/i)
  return {
    vendor_name: names[0] ?? null,
    vendor_vat: ids[0] ?? null,
    vendor_address: first(/((?:C\/|Calle|Avda\.|Avenida|Plaza|Paseo)[^\n|·]{5,60})/),
    vendor_city: first(/\b\d{5} ([A-ZÁÉÍÓÚ][\p{L} ]{2,30})/u),
    buyer_name: names[1] ?? null,
    buyer_vat: ids[1] ?? null,
    invoice_number: first(/Factura\s*(?:n[º°o]\.?|número)?\s*:?\s*([A-Z0-9][\w/-]*\d)/i),
    invoice_date: dates[0] ?? null,
    due_date: dates[1] ?? null,
    currency: /€|EUR/.test(text) ? 'EUR' : null,
    subtotal: amount(/(?:Base imponible|Subtotal|Base)\D*?(-?[\d.]+,\d{2})/i),
    tax: amount(/IVA[^\n]*?(-?[\d.]+,\d{2})\s*€?\s*$/im),
    total: amount(/Total[^\n]*?(-?[\d.]+,\d{2})\s*€?\s*$/im),
    iban: first(/(ES\d{2}(?:\s?\d{4}){5})/)?.replace(/\s/g, '') ?? null,
    payment_method: /transferencia/i.test(text)
      ? 'transferencia'
      : /domicili|recibo|adeudo/i.test(text)
        ? 'domiciliacion'
        : /tarjeta/i.test(text)
          ? 'tarjeta'
          : /efectivo|contado/i.test(text)
            ? 'efectivo'
            : null,
    irpf_rate: irpf === null ? null : Number(irpf),
    declared_tax_rate: vat === null ? null : Number(vat),
    line_items: [],
  }
}
