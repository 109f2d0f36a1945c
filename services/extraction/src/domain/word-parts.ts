/** A part of a word, by its first and after its last sign. */
export interface Part {
  from: number
  to: number
}

/** Dots that lead from words to their amount, on their own or between both: `patio.......60,00€`. */
export const isLeader = (text: string): boolean => /^[._…·]{4,}$/.test(text)
const leaders = /[._…·]{4,}/g
/** `60ud`, `1,5kg`: a number and its unit. */
const withUnit = /^(\d[\d.,]*)(?:uds?|un|unid|kgs?|hrs?|h|lts?|m[23²³]|ml|pzas?|cjs?|km)\.?$/i

/** Splits what a missing blank glued together: `CIF:B123`, `IVA(21%)`, `28861-Getafe`, `s/748,51`, but neither `21:39` nor `https://`. */
export function partsOf(text: string): Part[] {
  const cuts: number[] = [0]
  for (const { index, 0: dots } of text.includes('....') || text.includes('……') ? text.matchAll(leaders) : [])
    cuts.push(index, index + dots.length)
  if (text.length > 200) return between(cuts, text.length)
  const unit = withUnit.exec(text)?.[1]?.length
  if (unit !== undefined) cuts.push(unit)
  for (let index = 1; index < text.length; index += 1) {
    const sign = text.charAt(index)
    const before = text.charAt(index - 1)
    if (before === ':' && !/[\d/]/.test(sign) && index >= 2 && sign !== '') cuts.push(index)
    else if (before === ':' && /\d/.test(sign) && index >= 2 && /\p{L}|[.)º°]/u.test(text.charAt(index - 2)))
      cuts.push(index)
    else if (sign === '(' && /[\p{L}\d.]/u.test(before)) cuts.push(index)
    else if (before === ')' && /[\p{L}\d]/u.test(sign)) cuts.push(index)
    else if (/[|·•]/.test(sign) !== /[|·•]/.test(before) && !isGeminate(text, index)) cuts.push(index)
    else if (index === 2 && /^s\/\d[\d.]*,\d{2}$/i.test(text)) cuts.push(index)
    else if (before === '/' && /^\p{L}{4,}\/\p{L}{4,}/u.test(text)) cuts.push(index)
    else if (index === 6 && /^\d{5}[-–](?:\p{Lu}\p{Ll}|\p{L}{4})/u.test(text)) cuts.push(index)
    else if (/\d/.test(sign) && /^[(+-]?(?:I\.?V\.?A\.?|I\.?R\.?P\.?F\.?|IGIC|IPSI)$/i.test(text.slice(0, index)))
      cuts.push(index)
  }
  return between(cuts, text.length)
}

function between(cuts: readonly number[], length: number): Part[] {
  const places = [...new Set(cuts)].filter((cut) => cut < length).sort((a, b) => a - b)
  return places.map((from, index) => ({ from, to: places[index + 1] ?? length }))
}

/** `Instal·lacions`: the dot of a Catalan double l, before or after a place in a word. */
const isGeminate = (text: string, index: number): boolean =>
  /^l[·•]l/i.test(text.slice(index - 1, index + 2)) || /^l[·•]l/i.test(text.slice(Math.max(0, index - 2), index + 1))
