import { type DatabaseConnection, PostgresDialect, PostgresDriver, type TransactionSettings } from 'kysely'
import pg from 'pg'

/** A text is prepared from this use on, so that what is asked once costs the server nothing afterwards. */
const usesBeforeNamed = 3
/** Prepared statements live in every session's memory. */
const namedMax = 150
/** Rows of a long insert make a text for every count of them. */
const namedLengthMax = 4_000
const countedMax = 5_000

/**
 * Names for the statements that come again, one list for all sessions of a pool: PostgreSQL parses a named statement once a
 * session, and plans it a few times at most.
 */
class StatementNames {
  #uses = new Map<string, number>()
  #names = new Map<string, string>()
  /** Never starts again, so that a name that was dropped cannot come back with another text. */
  #next = 1

  nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= namedMax || text.length > namedLengthMax) return known
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (uses < usesBeforeNamed) {
      if (this.#uses.size >= countedMax) this.#uses.clear()
      this.#uses.set(text, uses)
      return undefined
    }
    const name = `s${this.#next++}`
    this.#uses.delete(text)
    this.#names.set(text, name)
    return name
  }

  /** Everything is prepared anew under other names. */
  drop(): void {
    this.#names.clear()
  }
}

/**
 * The answer of PostgreSQL to a prepared `select *` after a migration has changed its table; the same statement succeeds
 * when it is prepared again.
 */
export const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.message.startsWith('cached plan')

/** A session that sends statements without waiting for the answer to the one before, and prepares those that come again. */
function sessionsWith(names: StatementNames): typeof pg.Client {
  return class Session extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      // A session lost between two statements of its holder would end the process; the next statement tells the holder.
      this.on('error', () => {})
    }

    // The signatures of `query` are many; only the form (text, values) is changed.
    override query(...given: unknown[]): never {
      const ask = super.query as (...args: unknown[]) => unknown
      const [text, values, ...rest] = given
      const named = typeof text === 'string' && Array.isArray(values) && values.length > 0
      const name = named ? names.nameOf(text) : undefined
      if (name === undefined) return ask.apply(this, given) as never
      const answer = ask.call(this, { name, text, values }, ...rest)
      if (!(answer instanceof Promise)) return answer as never
      return answer.catch((error: unknown) => {
        if (!isOutdatedPlan(error)) throw error
        names.drop()
        // Inside a transaction nothing more can be asked; whoever opened it starts again.
        if (this.getTransactionStatus() !== 'I') throw error
        return ask.call(this, text, values)
      }) as never
    }
  }
}

/** A pool of such sessions; see `pg.PoolConfig` for its settings. */
export const openPool = (config: pg.PoolConfig): pg.Pool =>
  new pg.Pool({ ...config, pipeline: true, Client: sessionsWith(new StatementNames()) })

/** Kysely on such a pool: `begin` travels with the first statement of its transaction. */
export class PipelinedDialect extends PostgresDialect {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): PostgresDriver {
    return new PipelinedDriver({ pool: this.#pool })
  }
}

class PipelinedDriver extends PostgresDriver {
  readonly #begun = new WeakMap<DatabaseConnection, Promise<void>>()

  override async beginTransaction(
    connection: Parameters<PostgresDriver['beginTransaction']>[0],
    settings: TransactionSettings,
  ): Promise<void> {
    const begun = super.beginTransaction(connection, settings)
    // Told by the commit; a session that could not begin is lost, so that the statements before it fail too.
    begun.catch(() => {})
    this.#begun.set(connection, begun)
  }

  override async commitTransaction(connection: Parameters<PostgresDriver['commitTransaction']>[0]): Promise<void> {
    await this.#begun.get(connection)
    await super.commitTransaction(connection)
  }
}
