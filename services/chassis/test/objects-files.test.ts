import { mkdtemp, rm } from 'node:fs/promises'
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

  test('what does not exist cannot be moved', async () => {
    await expect(objects.move('uploads/none', 'documents/3/c')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
