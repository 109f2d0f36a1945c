import type { z } from 'zod'
import type { Actor } from './actor.ts'
import type { InputOf, OutputOf, ServiceName } from './operation.ts'
import { type OperationId, type Operations, operations } from './operations.ts'
import type { Procedure } from './procedure.ts'
import { extractionProcedures } from './procedures/extraction.ts'
import { facturaeProcedures } from './procedures/facturae.ts'
import { identityProcedures } from './procedures/identity.ts'
import { ledgerProcedures } from './procedures/ledger.ts'
import { notificationsProcedures } from './procedures/notifications.ts'
import { riskProcedures } from './procedures/risk.ts'

/** The internal calls of every service; together with the operations it owns they are its whole interface. */
export const procedures = {
  identity: identityProcedures,
  extraction: extractionProcedures,
  facturae: facturaeProcedures,
  risk: riskProcedures,
  ledger: ledgerProcedures,
  notifications: notificationsProcedures,
} as const satisfies Record<ServiceName, Record<string, Procedure>>

type Procedures = typeof procedures

/** Ids of the operations that a service implements. */
export type OperationsOf<S extends ServiceName | 'gateway'> = {
  [Id in OperationId]: Operations[Id]['service'] extends S ? Id : never
}[OperationId]

/** What a call knows besides its input. */
export interface CallContext<A = Actor | null> {
  /** Null where the operation needs no credentials. */
  actor: A
  requestId: string
  /**
   * Names the piece of work: the same when an idempotent request is taken over after a crash, so that a service that
   * keys its reservation and its record with it does and charges nothing twice.
   */
  workId?: string
}

type ActorOf<O> = O extends { auth: 'none' } ? null : Actor

type OperationHandlers<S extends ServiceName | 'gateway'> = {
  [Id in OperationsOf<S>]: (
    input: InputOf<Operations[Id]>,
    context: CallContext<ActorOf<Operations[Id]>>,
  ) => Promise<OutputOf<Operations[Id]>>
}

type ProcedureHandlers<S extends ServiceName> = {
  [Name in keyof Procedures[S]]: Procedures[S][Name] extends Procedure<infer I, infer O>
    ? (input: z.output<I>, context: CallContext) => Promise<z.input<O>>
    : never
}

/** The functions that a service must bring: one an operation it owns, one an internal procedure. */
export type Handlers<S extends ServiceName | 'gateway'> = OperationHandlers<S> &
  (S extends ServiceName ? ProcedureHandlers<S> : unknown)

/** How one service calls another: in process or over tRPC, the caller cannot tell. */
export type RpcClient<S extends ServiceName> = {
  [Name in keyof Procedures[S]]: Procedures[S][Name] extends Procedure<infer I, infer O>
    ? (input: z.input<I>, context: CallContext) => Promise<z.output<O>>
    : never
} & {
  [Id in OperationsOf<S>]: (input: InputOf<Operations[Id]>, context: CallContext) => Promise<OutputOf<Operations[Id]>>
}

export type RpcClients = { [S in ServiceName]: RpcClient<S> }

/** The operations that a service owns. */
export const operationsOf = (service: ServiceName) =>
  Object.values(operations).filter((operation) => operation.service === service)
