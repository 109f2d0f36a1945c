import { runService } from '@asiento/chassis/process'
import { ledger } from './service.ts'

await runService(ledger)
