import { runService } from '@asiento/chassis/process'
import { extraction } from './service.ts'

await runService(extraction)
