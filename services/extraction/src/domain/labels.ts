import phrases from './data/labels.json' with { type: 'json' }
import { lexicon, type MeaningOf } from './lexicon.ts'

/**
 * What Spanish invoices call things, in Spanish, Catalan, Galician, Basque and English. Written for invoices in
 * general; phrases are compared without accents, dots and case.
 */

/** What an amount below or right of the label is. */
export const amountLabels = lexicon(phrases.amount)
export type AmountMeaning = MeaningOf<typeof amountLabels>

/** Headings of the columns of a table of lines. */
export const columnLabels = lexicon(phrases.column)
export type ColumnMeaning = MeaningOf<typeof columnLabels>

/** What a date below or right of the label is. */
export const dateLabels = lexicon(phrases.date)

/** What a number right of or below the label identifies. */
export const numberLabels = lexicon(phrases.number)

/** Whose data follow. */
export const partyLabels = lexicon(phrases.party)
export type PartyMeaning = MeaningOf<typeof partyLabels>
