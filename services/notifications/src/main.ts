import { runService } from '@asiento/chassis/process'
import { notifications } from './service.ts'

await runService(notifications)
