import { extraction } from '@asiento/extraction/service'
import { facturae } from '@asiento/facturae/service'
import { gateway } from '@asiento/gateway/gateway'
import { identity } from '@asiento/identity/service'
import { ledger } from '@asiento/ledger/service'
import { notifications } from '@asiento/notifications/service'
import { risk } from '@asiento/risk/service'

/** Every part of the house; the gateway last, because it opens the door. */
export const everyService = [identity, risk, facturae, extraction, ledger, notifications, gateway] as const
