import { runProcess } from '@asiento/chassis/process'
import { mount } from '@asiento/chassis/service'
import { gateway } from './gateway.ts'
import { nearIdentity } from './near-identity.ts'

await runProcess('gateway', async ({ shared }) => {
  const mounted = await mount(gateway, { ...shared, rpc: nearIdentity(shared.rpc) })
  await shared.bus.start()
  shared.lifecycle.onClose('bus', () => shared.bus.close())
  await mounted.start()
})
