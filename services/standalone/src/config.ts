import { whole } from '@asiento/chassis/config'
import { z } from 'zod'

/** What `npm start` reads besides the environments of the services. */
export const standaloneEnvironment = z.object({
  PORT: whole({ min: 0, max: 65535, fallback: 8080 }),
  PUBLIC_URL: z.url().optional(),
  DATA_DIR: z.string().default('.data'),
  MASTER_KEY: z.string().optional(),
  JWT_SECRET: z.string().optional(),
})

export type StandaloneConfig = z.output<typeof standaloneEnvironment>
