import type { XmlTree } from '../parse/tree.ts'
import { checkAmountRules } from './amount-rules.ts'
import { checkArithmetic } from './arithmetic.ts'
import type { Emit, Finding } from './finding.ts'
import {
  checkCentres,
  checkDescriptions,
  checkIssueDate,
  checkNumbers,
  checkParties,
  type RuleContext,
} from './identity-rules.ts'
import { type StatedInvoice, statedInvoices } from './stated-invoice.ts'

interface RuleRow {
  /** Numbers of annex II of Orden HAP/1650/2015. */
  numbers: readonly string[]
  title: string
  /** `error` refuses what we build; `warning` refuses it only with `strict`. */
  severity: 'error' | 'warning'
  /** Null where another part checks it: the schema (1) and the signature (2). */
  check: ((root: XmlTree, invoices: readonly StatedInvoice[], context: RuleContext, emit: Emit) => void) | null
}

const each =
  (check: (invoice: StatedInvoice, context: RuleContext, emit: Emit) => void): RuleRow['check'] =>
  (_root, invoices, context, emit) => {
    for (const invoice of invoices) check(invoice, context, emit)
  }

/** What the public portal and the accounting registers check, rule by rule. */
export const portalRules: readonly RuleRow[] = [
  { numbers: ['1'], title: 'Valid against the schema of its version', severity: 'error', check: null },
  { numbers: ['2'], title: 'Signed under the signature policy of Facturae', severity: 'error', check: null },
  {
    numbers: ['3a', '3b', '4a', '4b', '4c'],
    title: 'Number, its uniqueness, and what is corrected',
    severity: 'warning',
    check: (root, invoices, _context, emit) => checkNumbers(root, invoices, emit),
  },
  {
    numbers: ['5a', '5b', '5c', '5d', '5e', '5f'],
    title: 'Who the parties are',
    severity: 'warning',
    check: (root, _invoices, _context, emit) => checkParties(root, emit),
  },
  {
    numbers: ['6a', '6b', '6c', '6d', '6e', '6f'],
    title: 'Amounts of lines and totals, currency',
    severity: 'error',
    check: each((invoice, _context, emit) => checkAmountRules(invoice, emit)),
  },
  { numbers: ['7'], title: 'Date of issue', severity: 'warning', check: each(checkIssueDate) },
  {
    numbers: ['8'],
    title: 'Administrative centres',
    severity: 'warning',
    check: (root, _invoices, context, emit) => checkCentres(root, context, emit),
  },
  {
    numbers: ['9'],
    title: 'Description of every line',
    severity: 'warning',
    check: each((invoice, _context, emit) => checkDescriptions(invoice, emit)),
  },
]

/** Checks a document against rules 3 to 9 and, beyond them, every sum. The order is that of the table. */
export function checkDocument(root: XmlTree, context: RuleContext): Finding[] {
  const findings: Finding[] = []
  const emit: Emit = (finding) => {
    findings.push(finding)
  }
  const invoices = statedInvoices(root)
  for (const row of portalRules) row.check?.(root, invoices, context, emit)
  checkArithmetic(root, invoices, emit)
  return findings
}
