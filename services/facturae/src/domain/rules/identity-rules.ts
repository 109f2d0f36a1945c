import { checkTaxId } from '@asiento/proto/tax-id'
import { isDate } from '@asiento/proto/time'
import { child, children, descend, textOf, type XmlTree } from '../parse/tree.ts'
import type { Emit } from './finding.ts'
import type { StatedInvoice } from './stated-invoice.ts'

export interface RuleContext {
  /** The date in Madrid, `YYYY-MM-DD`. */
  today: string
  /** True: the buyer is taken for an administration, whatever its tax id says. */
  strict: boolean
}

const blank = (text: string | undefined): boolean => text === undefined || text.trim() === ''

/** Rules 3a, 3b and 4a to 4c: the number, its uniqueness in the file, and what a corrective invoice names. */
export function checkNumbers(root: XmlTree, invoices: readonly StatedInvoice[], emit: Emit): void {
  const seller = textOf(root, 'Parties', 'SellerParty', 'TaxIdentification', 'TaxIdentificationNumber') ?? ''
  const seen = new Map<string, string>()
  for (const { node, path } of invoices) {
    const header = child(node, 'InvoiceHeader')
    const number = textOf(header, 'InvoiceNumber')
    const warn = (rule: string, field: string, value: string, message: string) =>
      emit({ rule, severity: 'warning', field: `${path}/InvoiceHeader/${field}`, value, message })
    if (blank(number)) warn('3a', 'InvoiceNumber', number ?? '', 'The invoice has no number.')
    const invoiceClass = textOf(header, 'InvoiceClass') ?? ''
    const identity = [
      seller,
      number,
      textOf(header, 'InvoiceSeriesCode') ?? '',
      textOf(node, 'InvoiceIssueData', 'IssueDate'),
    ]
    const key = identity.join('|')
    const other = seen.get(key)
    if (other === undefined) seen.set(key, invoiceClass)
    else if (other.startsWith('O') !== invoiceClass.startsWith('O')) {
      warn('4c', 'InvoiceClass', invoiceClass, 'The file holds an original beside its copy.')
    } else warn('3b', 'InvoiceNumber', number ?? '', 'The file holds two invoices of this number, series and date.')
    checkCorrective(header, invoiceClass, warn)
  }
}

function checkCorrective(
  header: XmlTree | undefined,
  invoiceClass: string,
  warn: (rule: string, field: string, value: string, message: string) => void,
): void {
  const corrective = child(header, 'Corrective')
  const corrects = invoiceClass === 'OR' || invoiceClass === 'CR'
  if (!corrects && corrective === undefined) return
  const method = textOf(corrective, 'CorrectionMethod') ?? ''
  if (!/^0[1-4]$/.test(method)) {
    warn('4a', 'Corrective/CorrectionMethod', method, 'A corrective invoice names its method, 01 to 04.')
  }
  const corrected = textOf(corrective, 'InvoiceNumber')
  if (corrects && (method === '01' || method === '02') && blank(corrected)) {
    warn('4b', 'Corrective/InvoiceNumber', corrected ?? '', 'Methods 01 and 02 name the invoice that is corrected.')
  }
}

/** Rules 5a to 5f: who the parties are. */
export function checkParties(root: XmlTree, emit: Emit): void {
  const parties = [
    ['Parties/SellerParty', descend(root, 'Parties', 'SellerParty')],
    ['Parties/BuyerParty', descend(root, 'Parties', 'BuyerParty')],
    ['FileHeader/ThirdParty', descend(root, 'FileHeader', 'ThirdParty')],
    ['FileHeader/FactoringAssignmentData/Assignee', descend(root, 'FileHeader', 'FactoringAssignmentData', 'Assignee')],
  ] as const
  for (const [path, node] of parties) if (node !== undefined) checkParty(path, node, emit)
  const idOf = (node: XmlTree | undefined) => textOf(node, 'TaxIdentification', 'TaxIdentificationNumber')?.trim()
  const [seller, buyer, , assignee] = parties.map(([, node]) => idOf(node))
  const same = (rule: string, path: string, value: string | undefined) => {
    if (value === undefined || value === '' || value !== seller) return
    emit({
      rule,
      severity: 'warning',
      field: `${path}/TaxIdentification/TaxIdentificationNumber`,
      value,
      message: 'The tax id is that of the issuer.',
    })
  }
  same('5e', 'FileHeader/FactoringAssignmentData/Assignee', assignee)
  same('5f', 'Parties/BuyerParty', buyer)
}

function checkParty(path: string, node: XmlTree, emit: Emit): void {
  const warn = (rule: string, field: string, value: string, message: string) =>
    emit({ rule, severity: 'warning', field: `${path}/${field}`, value, message })
  const person = textOf(node, 'TaxIdentification', 'PersonTypeCode') ?? ''
  const residence = textOf(node, 'TaxIdentification', 'ResidenceTypeCode')
  const id = textOf(node, 'TaxIdentification', 'TaxIdentificationNumber') ?? ''
  if (person !== 'F' && person !== 'J') {
    warn('5a', 'TaxIdentification/PersonTypeCode', person, 'PersonTypeCode is F or J.')
  }
  if (residence === 'R' && !checkTaxId(id).valid) {
    warn(
      '5b',
      'TaxIdentification/TaxIdentificationNumber',
      id,
      `${id} is no Spanish tax id with a right control character.`,
    )
  }
  if (
    person === 'F' &&
    (blank(textOf(node, 'Individual', 'Name')) || blank(textOf(node, 'Individual', 'FirstSurname')))
  ) {
    warn('5c', 'Individual', '', 'A natural person has a name and a first surname.')
  }
  if (person === 'J' && blank(textOf(node, 'LegalEntity', 'CorporateName'))) {
    warn('5d', 'LegalEntity/CorporateName', '', 'A company has a corporate name.')
  }
}

/** Rule 7: the date of issue is a date and not after today. */
export function checkIssueDate(invoice: StatedInvoice, { today }: RuleContext, emit: Emit): void {
  const value = textOf(invoice.node, 'InvoiceIssueData', 'IssueDate') ?? ''
  const date = value.slice(0, 10)
  if (isDate(date) && date <= today) return
  emit({
    rule: '7',
    severity: 'warning',
    field: `${invoice.path}/InvoiceIssueData/IssueDate`,
    value,
    message: isDate(date) ? 'The invoice is dated in the future.' : 'The date of issue is no date.',
  })
}

const centreNames = { '01': 'oficina contable', '02': 'órgano gestor', '03': 'unidad tramitadora' } as const

/**
 * Rule 8: the three DIR3 centres of an administration. Whether they exist and belong together only the portal's
 * directory knows; here they must be there and look like DIR3 codes. A buyer with the tax id of a private company and no
 * centres is no administration, and the rule does not apply.
 */
export function checkCentres(root: XmlTree, { strict }: RuleContext, emit: Emit): void {
  const buyer = descend(root, 'Parties', 'BuyerParty')
  const centres = children(child(buyer, 'AdministrativeCentres'), 'AdministrativeCentre')
  const id = textOf(buyer, 'TaxIdentification', 'TaxIdentificationNumber') ?? ''
  if (centres.length === 0 && !strict && !/^[PQS]\d/.test(id)) return
  const path = 'Parties/BuyerParty/AdministrativeCentres'
  for (const [role, name] of Object.entries(centreNames)) {
    const codes = centres
      .filter((centre) => textOf(centre, 'RoleTypeCode') === role)
      .map((centre) => textOf(centre, 'CentreCode') ?? '')
    if (codes.length === 0) {
      emit({
        rule: '8',
        severity: 'warning',
        field: path,
        value: '',
        message: `The centre with role ${role} (${name}) is missing.`,
      })
    }
    for (const code of codes.filter((value) => !/^[A-Z]{1,2}\d{7,8}$/.test(value) || value.length !== 9)) {
      emit({
        rule: '8',
        severity: 'warning',
        field: `${path}/AdministrativeCentre/CentreCode`,
        value: code,
        message: `'${code}' is no DIR3 code.`,
      })
    }
  }
}

/** Rule 9: every line says what it is about. */
export function checkDescriptions(invoice: StatedInvoice, emit: Emit): void {
  for (const { node, path } of invoice.lines) {
    const value = textOf(node, 'ItemDescription')
    if (!blank(value)) continue
    emit({
      rule: '9',
      severity: 'warning',
      field: `${path}/ItemDescription`,
      value: value ?? '',
      message: 'The line has no description.',
    })
  }
}
