/** A series as it is kept: upper case, no blanks. */
export const normalizeSeries = (text: string): string => text.trim().toUpperCase().replace(/\s+/g, '')

/** The printed number of an invoice or proposal: `A-000012`. Numbers count from 1 within a series, without gaps. */
export const seriesNumber = (series: string, number: number): string => `${series}-${String(number).padStart(6, '0')}`
