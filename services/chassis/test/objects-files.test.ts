import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Objects } from '../src/objects.ts'
import { createFileObjects } from '../src/objects-files.ts'

describe('objects as files', () => {
  let directory = ''
  let objects: Objects
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'asiento-objects-'))
    objects = createFileObjects(directory)
  })
  afterAll(() => rm(directory, { recursive: true }))

  const text = async (key: string) => (await objects.get(key))?.toString() ?? null

  test('a move takes the object away from where it was', async () => {
    await objects.put('uploads/a', Buffer.from('one'), { temporary: true })
    await objects.move('uploads/a', 'documents/1/a')
    expect([await text('uploads/a'), await text('documents/1/a')]).toEqual([null, 'one'])
  })

  test('a copy stands by itself, replaces what was there, and may be made again', async () => {
    await objects.put('batch/1', Buffer.from('one'))
    await objects.put('documents/2/b', Buffer.from('older'))
    for (let time = 0; time < 2; time += 1) await objects.copy('batch/1', 'documents/2/b')
    await objects.delete('batch/1')
    await objects.put('batch/1', Buffer.from('two'))
    expect(await text('documents/2/b')).toBe('one')
    expect(await readdir(join(directory, 'documents/2'))).toEqual(['b'])
  })

  test('what does not exist can be neither moved nor copied', async () => {
    await expect(objects.move('uploads/none', 'documents/3/c')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(objects.copy('uploads/none', 'documents/3/c')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
