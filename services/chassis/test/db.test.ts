import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../src/db.ts'
import { createLog } from '../src/log.ts'
import { cloneDatabase, dropDatabase } from '../src/testing/database.ts'

interface Tables {
  kept: { id: number; word: string }
}

let url: string
let db: Database<Tables>
beforeAll(async () => {
  url = await cloneDatabase('template_plain', async () => {})
  // One session, so that every statement meets what was prepared before it.
  const log = createLog({ name: 'test', level: 'silent' })
  db = openDatabase<Tables>({ url, schema: 'public', poolMax: 1, log })
  await db.pool.query('create table kept (id int primary key, word text not null)')
})
afterAll(async () => {
  await db.close()
  await dropDatabase(url)
})

const wordOf = (id: number) => db.query.selectFrom('kept').selectAll().where('id', '=', id).execute()
const prepared = async () =>
  (await db.pool.query('select statement from pg_prepared_statements order by 1')).rows.map(
    ({ statement }) => statement,
  )

describe('a statement that comes again', () => {
  test('is prepared from its third use on, and answers the same', async () => {
    await db.query.insertInto('kept').values({ id: 1, word: 'uno' }).execute()
    for (let use = 1; use <= 3; use += 1) {
      expect(await wordOf(1)).toEqual([{ id: 1, word: 'uno' }])
      expect(await prepared()).toHaveLength(use < 3 ? 0 : 1)
    }
    expect(await wordOf(2)).toEqual([])
  })

  test('goes on when a migration changes its table, alone and in a transaction', async () => {
    const inTransaction = () =>
      db.transaction(async (tx) => {
        await tx
          .insertInto('kept')
          .values({ id: 2, word: 'dos' })
          .onConflict((on) => on.doNothing())
          .execute()
        return tx.selectFrom('kept').selectAll().where('id', '=', 2).execute()
      })
    for (let use = 1; use <= 4; use += 1) await wordOf(1)
    await db.pool.query('alter table kept add column more int')
    expect(await wordOf(1)).toEqual([{ id: 1, word: 'uno', more: null }])
    for (let use = 1; use <= 4; use += 1) await inTransaction()
    await db.pool.query('alter table kept add column most int')
    expect(await inTransaction()).toEqual([{ id: 2, word: 'dos', more: null, most: null }])
  })

  test('takes no more room than 150 names a session, however many texts there are', async () => {
    const before = (await prepared()).length
    for (let text = 0; text < 160; text += 1) {
      for (let use = 0; use < 3; use += 1) await db.pool.query(`select $1::int as n${text}`, [text])
    }
    const added = (await prepared()).length - before
    expect(added).toBeGreaterThan(100)
    expect(added).toBeLessThanOrEqual(150)
    expect((await db.pool.query('select $1::int as n159', [159])).rows).toEqual([{ n159: 159 }])
  })
})

describe('a transaction', () => {
  test('that fails leaves nothing, and its session is good for the next', async () => {
    const failing = db.transaction(async (tx) => {
      await tx.insertInto('kept').values({ id: 3, word: 'tres' }).execute()
      await tx.insertInto('kept').values({ id: 3, word: 'tres' }).execute()
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect(await wordOf(3)).toEqual([])
  })

  test('sends statements that do not depend on each other at once, in order', async () => {
    const answers = await db.transaction((tx) =>
      Promise.all([
        sql<{ xid: string }>`select pg_current_xact_id()::text as xid`.execute(tx),
        tx.insertInto('kept').values({ id: 4, word: 'cuatro' }).execute(),
        sql<{ xid: string }>`select pg_current_xact_id()::text as xid, word from kept where id = 4`.execute(tx),
      ]),
    )
    expect(answers[2].rows).toEqual([{ xid: answers[0].rows[0]?.xid, word: 'cuatro' }])
  })

  test('that cannot begin because its session was ended fails, and the next one has a new session', async () => {
    const {
      rows: [mine],
    } = await db.pool.query('select pg_backend_pid() as pid')
    const other = openDatabase({ url, schema: 'public', poolMax: 1, log: createLog({ name: 'test', level: 'silent' }) })
    const lost = db.transaction(async (tx) => {
      await sql`select pg_sleep(0.01)`.execute(tx)
      await other.pool.query('select pg_terminate_backend($1)', [mine?.pid])
      await tx.insertInto('kept').values({ id: 5, word: 'cinco' }).execute()
    })
    await expect(lost).rejects.toThrow()
    await other.close()
    expect(await db.transaction((tx) => tx.selectFrom('kept').selectAll().where('id', '=', 5).execute())).toEqual([])
  })
})
