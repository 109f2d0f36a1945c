import { runService } from '@asiento/chassis/process'
import { identity } from './service.ts'

await runService(identity)
