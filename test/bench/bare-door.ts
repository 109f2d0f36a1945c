/** What the door is measured against: a Fastify route with one EVALSHA and one indexed, prepared select. */
import { createRedisKeyValue } from '@asiento/chassis/keyvalue-redis'
import { createLog } from '@asiento/chassis/log'
import Fastify from 'fastify'
import pg from 'pg'

const { DATABASE_URL = '', REDIS_URL = '', KEY_HASH = '', PORT = '0' } = process.env
const log = createLog({ name: 'bare', level: 'warn' })
const keyValue = await createRedisKeyValue({ url: REDIS_URL, log })
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 6 })
const hash = Buffer.from(KEY_HASH, 'hex')
const server = Fastify()
server.get('/quota', async () => {
  await keyValue.countInWindow('bare', 1_000_000, 60_000)
  const { rows } = await pool.query({
    name: 'bare',
    text: 'select id, user_id, name, plan from identity.api_keys where key_hash = $1',
    values: [hash],
  })
  return rows[0]
})
await server.listen({ host: '127.0.0.1', port: Number(PORT) })
