import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkedKey, type Objects, ObjectTooLargeError } from './objects.ts'

/** Objects as files under a folder: written beside, synced, then renamed, so that a reader never sees half of one. */
export function createFileObjects(directory: string): Objects {
  const path = (key: string) => join(directory, checkedKey(key))
  return {
    put: async (key, source, options = {}) => {
      const target = path(key)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      const draft = `${target}.${randomUUID()}.part`
      const hash = createHash('sha256')
      const bytesMax = options.bytesMax ?? Number.POSITIVE_INFINITY
      let sizeBytes = 0
      const file = await open(draft, 'wx', 0o600)
      try {
        for await (const chunk of source instanceof Uint8Array ? [source] : source) {
          const bytes = chunk as Uint8Array
          sizeBytes += bytes.byteLength
          if (sizeBytes > bytesMax) throw new ObjectTooLargeError(bytesMax)
          hash.update(bytes)
          await file.write(bytes)
        }
        await file.sync()
        await file.close()
        await rename(draft, target)
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
      await mkdir(dirname(path(to)), { recursive: true, mode: 0o700 })
      await rename(path(from), path(to))
    },
    delete: (key) => rm(path(key), { force: true }),
    sweep: (prefix, olderThan) => sweep(path(prefix), olderThan),
    probe: async () => {
      await mkdir(directory, { recursive: true, mode: 0o700 })
    },
  }
}

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
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}
