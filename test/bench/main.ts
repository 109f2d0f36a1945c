/**
 * Every figure that is promised, each against a baseline of the same run: `npm run bench -- [--only NAME]`. Prints one
 * table; a figure that is missed, or could not be measured here, does not fail the run.
 */
import { parseArgs } from 'node:util'
import { benchCredits } from './credits.ts'
import { benchDoor } from './door.ts'
import { benchJobs, benchReading } from './extraction.ts'
import { type Figure, isMet, short } from './figure.ts'
import { benchAssessing, benchBooks, benchDelivering, benchFacturae, benchMatching } from './services.ts'
import { benchThroughHttp } from './through-http.ts'

const benches: Record<string, () => Promise<Figure[]>> = {
  door: benchDoor,
  credits: benchCredits,
  http: benchThroughHttp,
  reading: benchReading,
  jobs: benchJobs,
  facturae: benchFacturae,
  matching: benchMatching,
  risk: benchAssessing,
  ledger: benchBooks,
  delivering: benchDelivering,
}

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const names = values.only === undefined ? Object.keys(benches) : values.only.split(',')
const unknown = names.filter((name) => benches[name] === undefined)
if (unknown.length > 0)
  throw new Error(`no such bench: ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`)

const figures: Figure[] = []
for (const name of names) {
  const started = performance.now()
  try {
    figures.push(...((await benches[name]?.()) ?? []))
  } catch (error) {
    process.stderr.write(`${name} could not be measured: ${error instanceof Error ? error.message : String(error)}\n`)
  }
  process.stderr.write(`… ${name} took ${Math.round((performance.now() - started) / 1_000)} s\n`)
}
print(figures)
process.exit(0)

function print(measured: readonly Figure[]): void {
  const rows = measured.map((figure) => [
    figure.name,
    figure.ours,
    figure.baseline,
    short(figure.ratio),
    targetOf(figure),
    { true: 'yes', false: 'NO', null: '' }[String(isMet(figure)) as 'true' | 'false' | 'null'],
  ])
  const table = [['figure', 'ours', 'baseline', 'ratio', 'target', 'met'], ...rows]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  for (const row of table) {
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
  }
}

function targetOf({ target }: Figure): string {
  if (target === null) return ''
  return 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`
}
