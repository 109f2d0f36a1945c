import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkedKey, type Objects, ObjectTooLargeError } from './objects.ts'

/** Objects as files under a folder: written beside, synced, then renamed, so that a reader never sees half of one. */
export function createFileObjects(directory: string): Objects {
  const path = (key: string) => join(directory, checkedKey(key))
  return {
    put: async (key, source, options = {}) => {
      const target = path(key)
      // Nobody knows of a temporary object before it is whole.
      const draft = options.temporary === true ? target : draftOf(target)
      const hash = createHash('sha256')
      const bytesMax = options.bytesMax ?? Number.POSITIVE_INFINITY
      let sizeBytes = 0
      const file = await inFolder(draft, () => open(draft, 'wx', 0o600))
      try {
        for await (const chunk of source instanceof Uint8Array ? [source] : source) {
          const bytes = chunk as Uint8Array
          sizeBytes += bytes.byteLength
          if (sizeBytes > bytesMax) throw new ObjectTooLargeError(bytesMax)
          hash.update(bytes)
          await file.write(bytes)
        }
        if (options.temporary !== true) await file.datasync()
        await file.close()
        if (draft !== target) await rename(draft, target)
      } catch (error) {
        await file.close().catch(() => {})
        await rm(draft, { force: true })
        throw error
      }
      return { key, sha256: hash.digest('hex'), sizeBytes }
    },
    get: (key) => readFile(path(key)).catch(absent),
    stream: async (key) => {
      const found = await stat(path(key)).catch(absent)
      return found === null ? null : { body: createReadStream(path(key)), sizeBytes: found.size }
    },
    move: async (from, to) => {
      await sync(path(from))
      await inFolder(path(to), () => rename(path(from), path(to)))
    },
    delete: (key) => remove(path(key)),
    sweep: (prefix, olderThan) => sweep(path(prefix), olderThan),
    probe: async () => {
      await mkdir(directory, { recursive: true, mode: 0o700 })
    },
  }
}

const draftOf = (target: string): string => `${target}.${randomUUID()}.part`

/** Does what makes a file, and makes its folder only where that is missing. */
async function inFolder<R>(file: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (!isAbsent(error)) throw error
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    return work()
  }
}

/** Fails ENOENT where there is no such file. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

const remove = (path: string): Promise<void> =>
  unlink(path).catch((error) => {
    absent(error)
  })

async function sweep(directory: string, olderThan: Date): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  let swept = 0
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const file = join(entry.parentPath, entry.name)
    const found = await stat(file).catch(absent)
    if (found === null || found.mtime >= olderThan) continue
    await rm(file, { force: true })
    swept += 1
  }
  return swept
}

function absent(error: unknown): null {
  if (isAbsent(error)) return null
  throw error
}

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'
