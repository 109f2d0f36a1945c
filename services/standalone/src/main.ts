import { ConfigError } from '@asiento/chassis/config'
import { closeOnSignals } from '@asiento/chassis/lifecycle'
import { createLog } from '@asiento/chassis/log'
import { NewerDatabaseError } from '@asiento/chassis/migrate'
import { AppError } from '@asiento/proto/errors'
import { StartError } from './data-folder.ts'
import { keepDemoAccount } from './demo-account.ts'
import { startStandalone } from './standalone.ts'
import { welcome } from './welcome.ts'

const started = performance.now()
const say = (line: string) => process.stdout.write(`${line}\n`)
const log = createLog({ name: 'asiento', level: process.env.LOG_LEVEL ?? 'warn' })

try {
  const standalone = await startStandalone(process.env, log, (step) => say(`… ${step}`))
  closeOnSignals(standalone.lifecycle, log)
  const demo = await keepDemoAccount(standalone)
  say(welcome({ ...demo, dataDirectory: standalone.dataDirectory, seconds: (performance.now() - started) / 1_000 }))
} catch (error) {
  for (const line of explain(error)) process.stderr.write(`${line}\n`)
  process.exit(1)
}

/** One clear line for what a person can mend; the whole error for what is a fault of ours. */
function explain(error: unknown): string[] {
  if (error instanceof ConfigError) return error.lines
  if (error instanceof StartError || error instanceof NewerDatabaseError) return [error.message]
  if (error instanceof AppError) return [error.detail]
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
    return ['The disk is full; make room and start again.']
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)]
}
