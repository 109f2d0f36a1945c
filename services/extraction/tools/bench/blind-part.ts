import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const generator = fileURLToPath(new URL('../generator/main.ts', import.meta.url))

export interface BlindPart {
  /** Of digital PDFs, each with a twin in which one figure is wrong, and of scans. */
  folders: string[]
  remove(): Promise<void>
}

/**
 * Draws documents of the families that no development uses: `count` digital PDFs with their planted twins, and a fifth as
 * many scans. The same seed gives the same files.
 */
export async function drawBlindPart({ count, seed }: { count: number; seed: string }): Promise<BlindPart> {
  const folder = await mkdtemp(join(tmpdir(), 'asiento-blind-'))
  const draw = async (name: string, documents: number, ...kind: string[]): Promise<string> => {
    const out = join(folder, name)
    const named = ['--out', out, '--count', String(documents), '--seed', seed, '--families', 'blind']
    await run(process.execPath, [generator, ...named, ...kind])
    return out
  }
  const digital = await draw('digital', count, '--errors')
  const scans = await draw('scans', Math.ceil(count / 5), '--scan')
  return { folders: [digital, scans], remove: () => rm(folder, { recursive: true, force: true }) }
}
