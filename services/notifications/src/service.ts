import { defineService } from '@asiento/chassis/service'
import { z } from 'zod'

/** Webhooks and mail: what leaves the house. */
export const notifications = defineService<unknown>()({
  name: 'notifications',
  config: z.object({}),
  migrations: new URL('../migrations/', import.meta.url),
  create: () => ({ handlers: { health: async () => ({ status: 'ok' as const }) } }),
})
