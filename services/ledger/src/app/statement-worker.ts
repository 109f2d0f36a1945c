import { task } from '@asiento/chassis/worker-task'
import { readStatement } from '../domain/statements/read-statement.ts'
import type { CsvMapping, Statement } from '../domain/statements/statement.ts'

export interface StatementTask {
  bytes: Uint8Array
  /** Mappings that the account's owner gave, by layout key. */
  mappings: ReadonlyMap<string, CsvMapping>
  account: string | null
}

/** Reads a statement away from the event loop: a file may have many thousand lines. */
export default task(
  async ({ bytes, mappings, account }: StatementTask): Promise<Statement> =>
    readStatement(bytes, { remembered: (layoutKey) => mappings.get(layoutKey), account }),
)
