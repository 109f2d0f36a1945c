import { openDatabase } from '@asiento/chassis/db'
import { type DeadLetter, listDeadLetters, replayDeadLetters } from '@asiento/chassis/dead-letters'
import type { Log } from '@asiento/chassis/log'
import { appRole } from '@asiento/chassis/migrate'
import { OperatorError } from '@asiento/identity/app/operator'
import { timestamp } from '@asiento/proto/time'
import { everyService } from './services.ts'

export const dlqUsage: readonly string[] = ['dlq list [GROUP]', 'dlq replay [GROUP]']

/**
 * Events that consumer groups set aside, over the schemas of every service: shows them, or asks the running services to
 * apply them again. Answers what to print. Fails with {@link OperatorError}.
 */
export async function runDlqCommand(
  { url, log }: { url: string; log: Log },
  [action, group, ...rest]: readonly string[],
): Promise<string[]> {
  if ((action !== 'list' && action !== 'replay') || rest.length > 0) {
    throw new OperatorError(`Use: ${dlqUsage.map((line) => `npm run admin -- ${line}`).join(' | ')}`)
  }
  const filter = group === undefined ? {} : { group }
  const lines: string[] = []
  for (const { name } of everyService) {
    const db = openDatabase({ url, schema: name, role: appRole(name), poolMax: 1, log })
    try {
      if (action === 'list') lines.push(...(await listDeadLetters(db, filter)).map(show))
      else lines.push(...told(name, (await replayDeadLetters(db, filter)).replayed))
    } finally {
      await db.close()
    }
  }
  return lines.length > 0 ? lines : ['Nothing has been set aside.']
}

const show = ({ id, group, name, key, attempts, createdAt, error }: DeadLetter): string =>
  [id, timestamp(createdAt), group, name, `key ${key}`, `${attempts} attempts`, error].join('  ')

const told = (service: string, replayed: number): string[] =>
  replayed === 0 ? [] : [`${service}: ${replayed} will be applied again within seconds.`]
