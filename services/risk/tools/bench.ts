import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '@asiento/chassis/db'
import { startEmbeddedPostgres } from '@asiento/chassis/embedded-postgres'
import { createLog } from '@asiento/chassis/log'
import { appRole, migrate } from '@asiento/chassis/migrate'
import { assessInput } from '@asiento/proto/schemas/risk'
import { sql } from 'kysely'
import {
  type BulkInvoice,
  earlierInvoicesStatement,
  earlierInvoicesValues,
} from '../src/adapters/out/earlier-invoices.ts'
import { createStore } from '../src/adapters/out/store.ts'
import type { Tables } from '../src/adapters/out/tables.ts'
import { assess } from '../src/app/assess.ts'
import { checkMany } from '../src/app/check-many.ts'

export interface RiskBenchOptions {
  /** Superuser URL of an empty database. */
  url: string
  /** Invoices in the account; 1,000,000 for the figure of the requirement. */
  invoices?: number
  vendors?: number
  rounds?: number
}

export interface RiskBenchResult {
  invoices: number
  vendors: number
  assessMedianMs: number
  assessP95Ms: number
  bulkChecksPerSecond: number
  bareSelectsPerSecond: number
  /** Bulk check against the bare indexed select that it needs; required: at least 0.4. */
  bulkRatio: number
}

const scope = { userId: 1, keyId: null, subaccountId: null, sandbox: false }

/** Fills an account and measures one assessment and the bulk check. */
export async function benchRisk(options: RiskBenchOptions): Promise<RiskBenchResult> {
  const { url, invoices = 100_000, vendors = 20_000, rounds = 400 } = options
  await migrate({ url, schema: 'risk', directory: new URL('../migrations/', import.meta.url) })
  const log = createLog({ name: 'bench', level: 'silent' })
  const db = openDatabase<Tables>({ url, schema: 'risk', role: appRole('risk'), poolMax: 4, log })
  try {
    await fill(url, invoices, vendors)
    const times = await assessTimes(db, { invoices, vendors, rounds })
    const { bulk, bare } = await bulkRates(db, { invoices, vendors })
    return {
      invoices,
      vendors,
      assessMedianMs: percentile(times, 0.5),
      assessP95Ms: percentile(times, 0.95),
      bulkChecksPerSecond: Math.round(bulk),
      bareSelectsPerSecond: Math.round(bare),
      bulkRatio: Math.round((bulk / bare) * 100) / 100,
    }
  } finally {
    await db.close()
  }
}

async function fill(url: string, invoices: number, vendors: number): Promise<void> {
  const log = createLog({ name: 'bench', level: 'silent' })
  const owner = openDatabase<Tables>({ url, schema: 'risk', poolMax: 1, log })
  try {
    await sql`set statement_timeout = 0`.execute(owner.query)
    await sql`insert into invoices (log_id, user_id, subaccount_id, file_sha256, vendor_key, vendor_name, number_key,
        invoice_number, total_cents, invoice_date)
      select n, 1, 0, sha256(n::text::bytea), 'B' || lpad((n % ${vendors}::int)::text, 8, '0'), 'Proveedor ' || (n % ${vendors}::int),
        'F' || n, 'F-' || n, (n::bigint * 7919) % 500000 + 100, date '2024-01-01' + (n % 1000)
      from generate_series(1, ${invoices}::int) n`.execute(owner.query)
    await sql`insert into vendors (user_id, subaccount_id, vendor_vat, vendor_name, trusted_iban, source)
      select 1, 0, 'B' || lpad(n::text, 8, '0'), 'Proveedor ' || n, 'ES' || lpad(n::text, 22, '0'), 'first_seen'
      from generate_series(0, ${vendors}::int - 1) n`.execute(owner.query)
    await sql`analyze invoices`.execute(owner.query)
    await sql`analyze vendors`.execute(owner.query)
  } finally {
    await owner.close()
  }
}

interface Size {
  invoices: number
  vendors: number
}

async function assessTimes(db: Database<Tables>, size: Size & { rounds: number }): Promise<number[]> {
  const judge = assess({ store: createStore(db), vies: null, model: null })
  const times: number[] = []
  for (let round = 0; round < size.rounds + 20; round += 1) {
    const copied = (round * 7_907) % size.invoices
    const input = assessInput.parse({
      logId: size.invoices + round + 1,
      scope,
      fraudChecks: true,
      fileSha256: createHash('sha256').update(`new ${round}`).digest('hex'),
      vendorName: `Proveedor ${copied % size.vendors}`,
      vendorVat: `B${String(copied % size.vendors).padStart(8, '0')}`,
      invoiceNumber: round % 10 === 0 ? `F-${copied}` : `N-${round}`,
      invoiceDate: '2026-03-01',
      totalCents: 12_100 + round,
      iban: 'ES9121000418450200051332',
      lines: Array.from({ length: 10 }, (_, line) => ({
        description: `Material de oficina ${line}`,
        totalCents: 1_000,
      })),
    })
    const started = performance.now()
    await judge(input)
    // The first ones warm the connection and the code.
    if (round >= 20) times.push(performance.now() - started)
  }
  return times
}

async function bulkRates(db: Database<Tables>, size: Size): Promise<{ bulk: number; bare: number }> {
  const parts = Array.from({ length: 12 }, (_, part) => bulkInvoices(size, part))
  const bare = async (part: BulkInvoice[]) => {
    await db.pool.query(earlierInvoicesStatement, earlierInvoicesValues(scope, part))
  }
  const bulk = async (part: BulkInvoice[]) => {
    await checkMany(db, scope, part)
  }
  const rates = { bulk: 0, bare: 0 }
  // In turns and on pages that are in memory already, so that both meet the same caches and the same noise.
  for (const part of parts) {
    await bare(part)
    rates.bare += await elapsed(() => bare(part))
    rates.bulk += await elapsed(() => bulk(part))
  }
  const checks = parts.length * 1_000 * 1_000
  return { bulk: checks / rates.bulk, bare: checks / rates.bare }
}

async function elapsed(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const bulkInvoices = ({ invoices, vendors }: Size, part: number): BulkInvoice[] =>
  Array.from({ length: 1_000 }, (_, index) => {
    const n = ((part * 1_000 + index) * 7_919) % invoices
    return {
      fileSha256: createHash('sha256').update(`bulk ${part} ${index}`).digest('hex'),
      vendor: { key: `B${String(n % vendors).padStart(8, '0')}`, name: `Proveedor ${n % vendors}` },
      numberKey: `F${n}`,
      number: `F-${n}`,
      totalCents: ((n * 7_919) % 500_000) + 100,
      date: null,
    }
  })

const percentile = (times: number[], share: number): number => {
  const sorted = [...times].sort((a, b) => a - b)
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 100) / 100
}

if (process.argv[1]?.endsWith('bench.ts') && process.argv[1].includes('risk')) {
  const directory = await mkdtemp(join(tmpdir(), 'asiento-bench-'))
  const postgres = await startEmbeddedPostgres({ directory, disposable: true })
  try {
    const result = await benchRisk({ url: postgres.url, invoices: Number(process.argv[2] ?? 100_000) })
    process.stdout.write(`${JSON.stringify(result)}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = 1
  } finally {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
