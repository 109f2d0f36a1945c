import { runService } from '@asiento/chassis/process'
import { risk } from './service.ts'

await runService(risk)
