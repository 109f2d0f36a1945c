/** What one document may cost. Beyond these limits pages are left out with a warning; nothing is read without a bound. */
export const limits = {
  /** Pages of a document that are read: the first ones and the last ones, where the totals stand. */
  textPagesMax: 300,
  /** Pages that are recognized by OCR, which takes about a second each. */
  ocrPagesMax: 24,
  /** Of the pages read, how many are taken from the end when the document has more. */
  lastPages: 10,
} as const

/** The indexes of the pages to read: all, or the first and the last ones. */
export function choosePages(pageCount: number, pagesMax: number, lastPages: number = limits.lastPages): number[] {
  const all = Array.from({ length: Math.min(pageCount, pagesMax) }, (_, index) => index)
  if (pageCount <= pagesMax) return all
  const last = Math.min(lastPages, Math.floor(pagesMax / 2))
  return all.map((index) => (index < pagesMax - last ? index : pageCount - pagesMax + index))
}
