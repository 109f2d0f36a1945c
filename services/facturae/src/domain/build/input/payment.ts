import { checkIban } from '@asiento/proto/iban'
import { type Cents, cents, eurosText } from '@asiento/proto/money'
import { type InvoiceDataInput, paymentMeans } from '@asiento/proto/schemas/invoice-input'
import type { Figures } from '../../model/figures.ts'
import type { Account, Installment } from '../../model/invoice.ts'
import { maybe, type Notes, present, refuse } from './notes.ts'
import { toleranceCents } from './rates.ts'

const transfer = '04'
const directDebit = '02'

/**
 * The installments given, or one of all that is to pay where the invoice names a due date, an account or a means of
 * payment. A transfer credits the IBAN, a direct debit debits it.
 */
export function installmentsFrom(
  input: InvoiceDataInput,
  figures: Figures,
  issueDate: string,
  notes: Notes,
): Installment[] {
  const given = input.installments ?? input.payment_installments ?? []
  if (given.length > 0) {
    const rows = given.map((row, index) =>
      installment(
        {
          dueDate: row.due_date,
          amountCents: cents(row.amount),
          method: row.method ?? input.payment_method,
          iban: row.iban ?? input.iban,
          bic: row.bic ?? input.bic,
          reference: row.reference,
        },
        `installments[${index}].`,
        notes,
      ),
    )
    checkSum(rows, figures, notes)
    return rows
  }
  if (input.due_date == null && present(input.iban) === undefined && input.payment_method == null) return []
  return [
    installment(
      {
        dueDate: input.due_date ?? issueDate,
        amountCents: figures.executableCents,
        method: input.payment_method,
        iban: input.iban,
        bic: input.bic,
        reference: null,
      },
      '',
      notes,
    ),
  ]
}

interface InstallmentDraft {
  dueDate: string
  amountCents: Cents
  method: string | null | undefined
  iban: string | null | undefined
  bic: string | null | undefined
  reference: string | null | undefined
}

function installment(draft: InstallmentDraft, prefix: string, notes: Notes): Installment {
  const means = meansCode(draft.method)
  const account = accountOf(draft, prefix, notes)
  return {
    dueDate: draft.dueDate,
    amountCents: draft.amountCents,
    means,
    ...(account === undefined ? {} : means === directDebit ? { debited: account } : { credited: account }),
    ...maybe('reference', present(draft.reference)),
  }
}

const meansCode = (method: string | null | undefined): string =>
  method == null ? transfer : (paymentMeans[method as keyof typeof paymentMeans] ?? method)

function accountOf(draft: InstallmentDraft, prefix: string, notes: Notes): Account | undefined {
  const text = present(draft.iban)
  if (text === undefined) return undefined
  const { value, valid } = checkIban(text)
  if (!valid) {
    notes.warn('iban_invalid', 'The check digits of the IBAN are wrong: it was left out.', `${prefix}iban`)
    return undefined
  }
  const bic = present(draft.bic)?.replace(/\s/g, '').toUpperCase()
  if (bic !== undefined && !/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic)) {
    notes.warn('bic_invalid', 'The BIC is malformed: it was left out.', `${prefix}bic`)
    return { iban: value }
  }
  return { iban: value, ...maybe('bic', bic?.padEnd(11, 'X')) }
}

/** Together the installments are what is to pay. */
function checkSum(rows: readonly Installment[], figures: Figures, notes: Notes): void {
  const sum = rows.reduce((total, row) => total + row.amountCents, 0)
  const residues = [figures.executableCents, figures.outstandingCents, figures.totalCents].map((value) => sum - value)
  const residue = residues.reduce((best, value) => (Math.abs(value) < Math.abs(best) ? value : best))
  if (residue === 0) return
  if (Math.abs(residue) > toleranceCents) {
    refuse(
      `installments do not add up: together they are ${eurosText(sum)}, to pay are ${eurosText(figures.executableCents)}.`,
    )
  }
  notes.warn(
    'amounts_mismatch',
    `The installments differ by ${eurosText(residue)} from what is to pay.`,
    'installments',
    residue,
  )
}
