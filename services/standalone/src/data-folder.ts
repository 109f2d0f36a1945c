import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A start that cannot go on, in one line for the person who typed the command. */
export class StartError extends Error {}

export interface DataFolder {
  path: string
  release(): Promise<void>
}

/**
 * Takes the data folder for this process. Fails with {@link StartError} when another one works on it or it cannot be
 * written; a lock of a process that is gone is taken over.
 */
export async function takeDataFolder(path: string): Promise<DataFolder> {
  const lock = join(path, 'lock')
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await refuseOtherHolder(lock, path)
    await writeFile(lock, String(process.pid), { mode: 0o600 })
    await proveWritable(join(path, 'write-test'))
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(diskProblem(error, path), { cause: error })
  }
  return { path, release: () => rm(lock, { force: true }) }
}

async function refuseOtherHolder(lock: string, path: string): Promise<void> {
  const holder = Number(await readFile(lock, 'utf8').catch(() => ''))
  if (holder > 0 && holder !== process.pid && isAsiento(holder, await commandOf(holder))) {
    throw new StartError(
      `The data folder ${path} is in use by process ${holder}; stop it or set DATA_DIR to another folder.`,
    )
  }
}

/** Process numbers are used again: the holder counts only if it is a Node process. */
function isAsiento(pid: number, command: string): boolean {
  try {
    process.kill(pid, 0)
    return command === '' || command.includes('standalone')
  } catch {
    return false
  }
}

const commandOf = (pid: number): Promise<string> => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')

/** A full disk shows here and not in the middle of the first invoice. */
async function proveWritable(path: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.write(randomBytes(1024 * 1024))
    await file.sync()
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}

/** What an error of the file system means to the person who typed the command. */
export function diskProblem(error: unknown, path: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `The disk of ${path} is full; make room or set DATA_DIR to another disk.`
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return `The data folder ${path} cannot be written.`
  if (code === 'ENOTDIR' || code === 'EEXIST') return `${path} is no folder; set DATA_DIR to another one.`
  return `The data folder ${path} cannot be used: ${error instanceof Error ? error.message : String(error)}`
}
