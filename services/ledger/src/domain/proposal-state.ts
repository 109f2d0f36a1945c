import { fail } from '@asiento/proto/errors'

export const proposalStatuses = ['draft', 'sent', 'accepted', 'rejected', 'expired', 'converted'] as const
export type ProposalStatus = (typeof proposalStatuses)[number]

/** Where a proposal can go by a change of its status; `converted` is reached only by converting. */
export const proposalTransitions: Record<ProposalStatus, readonly ProposalStatus[]> = {
  draft: ['sent'],
  sent: ['accepted', 'rejected', 'expired'],
  accepted: [],
  rejected: [],
  expired: [],
  converted: [],
}

/** What may be edited in a state: a client must be able to rely on what was sent. */
const editable: Record<ProposalStatus, 'all' | 'validity' | 'notes'> = {
  draft: 'all',
  sent: 'validity',
  accepted: 'notes',
  rejected: 'notes',
  expired: 'notes',
  converted: 'notes',
}

/** Fails with INVALID_STATE when the table has no such step; staying where it is is no step. */
export function moveProposal(from: ProposalStatus, to: ProposalStatus): ProposalStatus {
  if (from === to || proposalTransitions[from].includes(to)) return to
  return fail('INVALID_STATE', { detail: `A proposal that is ${from} cannot become ${to}.` })
}

/** Fails with INVALID_STATE when a field may not change any more. */
export function checkProposalEdit(status: ProposalStatus, fields: readonly string[]): void {
  const allowed = editable[status]
  if (allowed === 'all') return
  const refused = fields.filter((field) => field !== 'notes' && !(allowed === 'validity' && field === 'valid_until'))
  if (refused.length > 0) {
    fail('INVALID_STATE', { detail: `A proposal that is ${status} keeps its ${refused.join(', ')}.` })
  }
}

/** A sent proposal whose last day has passed has expired, whether or not anyone has looked since. */
export const effectiveStatus = (status: ProposalStatus, validUntil: string | null, today: string): ProposalStatus =>
  status === 'sent' && validUntil !== null && validUntil < today ? 'expired' : status

/** Fails with INVALID_STATE unless the proposal is accepted. */
export function checkConvertible(status: ProposalStatus): void {
  if (status !== 'accepted')
    fail('INVALID_STATE', { detail: `Only an accepted proposal converts; this one is ${status}.` })
}
