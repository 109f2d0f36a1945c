import { runService } from '@asiento/chassis/process'
import { facturae } from './service.ts'

await runService(facturae)
