/** Numbers in words as notaries and courts write days and years: `treinta y uno`, `dos mil veinticuatro`. */

const small: Readonly<Record<string, number>> = Object.fromEntries(
  (
    [
      [1, 'uno primero un u primer unha'],
      [2, 'dos dous'],
      [3, 'tres'],
      [4, 'cuatro quatre catro'],
      [5, 'cinco cinc'],
      [6, 'seis sis'],
      [7, 'siete set sete'],
      [8, 'ocho vuit oito'],
      [9, 'nueve nou nove'],
      [10, 'diez deu dez'],
      [11, 'once onze'],
      [12, 'doce dotze doze'],
      [13, 'trece tretze treze'],
      [14, 'catorce catorze'],
      [15, 'quince quinze'],
      [16, 'dieciseis setze dezaseis'],
      [17, 'diecisiete disset dezasete'],
      [18, 'dieciocho divuit dezaoito'],
      [19, 'diecinueve dinou dezanove'],
      [20, 'veinte vint vinte'],
      [21, 'veintiuno vint-i-un'],
      [22, 'veintidos vint-i-dos'],
      [23, 'veintitres vint-i-tres'],
      [24, 'veinticuatro vint-i-quatre'],
      [25, 'veinticinco vint-i-cinc'],
      [26, 'veintiseis vint-i-sis'],
      [27, 'veintisiete vint-i-set'],
      [28, 'veintiocho vint-i-vuit'],
      [29, 'veintinueve vint-i-nou'],
      [30, 'treinta trenta trinta'],
      [31, 'trenta-un'],
      [40, 'cuarenta quaranta corenta'],
    ] as const
  ).flatMap(([value, words]) => words.split(' ').map((word) => [word, value])),
)

/**
 * The number below 100 or from 2000 to 2099 that words begin with, and how many words it takes; null where they begin
 * with none. Words are folded, without accents.
 */
export function wordedNumber(words: readonly string[]): { value: number; count: number } | null {
  const first = small[words[0] ?? '']
  if (first === undefined) return null
  if (first === 2 && words[1] === 'mil') {
    const rest = wordedNumber(words.slice(2))
    return rest === null || rest.value >= 100
      ? { value: 2000, count: 2 }
      : { value: 2000 + rest.value, count: 2 + rest.count }
  }
  const unit = small[words[2] ?? '']
  if (first >= 20 && first % 10 === 0 && /^[yei]$/.test(words[1] ?? '') && unit !== undefined && unit < 10)
    return { value: first + unit, count: 3 }
  return { value: first, count: 1 }
}
