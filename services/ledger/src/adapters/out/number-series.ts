import type { Tx } from '@asiento/chassis/db'
import { sql } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * Takes the next numbers of a series. The row stays locked until the transaction ends, so that a number that is rolled
 * back is given again: no gaps, whoever else takes numbers at the same time.
 */
export async function takeNumbers(
  tx: Tx<Tables>,
  series: { userId: number; kind: 'invoice' | 'proposal'; series: string },
  count: number,
): Promise<number[]> {
  const { rows } = await sql<{ last_number: number }>`
    insert into number_series as kept (user_id, kind, series, last_number)
    values (${series.userId}, ${series.kind}, ${series.series}, ${count})
    on conflict (user_id, kind, series) do update set last_number = kept.last_number + excluded.last_number
    returning last_number`.execute(tx)
  const last = rows[0]?.last_number ?? 0
  return Array.from({ length: count }, (_, index) => last - count + 1 + index)
}
