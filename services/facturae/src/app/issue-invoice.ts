import { createHash } from 'node:crypto'
import type { Actor } from '@asiento/proto/actor'
import { fail, ValidationFailure } from '@asiento/proto/errors'
import type { CallContext } from '@asiento/proto/rpc'
import { invoiceDataInput } from '@asiento/proto/schemas/invoice-input'
import type { Deps } from './deps.ts'
import { facturaeFilename } from './filename.ts'
import { keptBefore } from './keep-in-custody.ts'
import { makeFacturae } from './make-facturae.ts'
import { accountKey } from './signing-key.ts'

interface IssueCommand {
  issueId: string
  invoice: Record<string, unknown>
  sign: boolean
}

/** The Facturae of an invoice that the ledger issues; the same `issueId` again is the same signed document. */
export const issueInvoice = (deps: Deps) => async (command: IssueCommand, actor: Actor, context: CallContext) => {
  const workId = uuidOf(actor.userId, command.issueId)
  const parsed = invoiceDataInput.safeParse(command.invoice)
  if (!parsed.success) {
    throw new ValidationFailure(
      parsed.error.issues.map((issue) => ({
        loc: ['body', ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
        msg: issue.message,
        type: issue.code,
      })),
    )
  }
  const number = parsed.data.invoice_number ?? fail('INVALID_INPUT', { detail: 'invoice_number is missing.' })
  const filename = facturaeFilename(number, { signed: command.sign, ext: 'xml' })
  const before = command.sign ? await keptBefore(deps, workId) : null
  if (before !== null) return { xml: before.xml, filename, signed: true, logId: before.logId }
  const made = await makeFacturae(
    deps,
    { actor, context, workId },
    {
      source: 'issue',
      input: parsed.data,
      loc: ['body'],
      key: command.sign ? await accountKey(deps, actor) : null,
      ext: 'xml',
      externalRef: null,
      logId: null,
    },
  )
  return { xml: made.xml, filename: made.filename, signed: made.signed, logId: made.kept?.logId ?? null }
}

/** A stable UUID (version 8, RFC 9562) of an account's issue. */
function uuidOf(userId: number, issueId: string): string {
  const hex = createHash('sha256').update(`issue:${userId}:${issueId}`).digest('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
