import { tradeLine } from './institution-words.ts'
import type { Cell, Token } from './layout.ts'

/**
 * A long name printed bold over two rows, with the rest of its block in plain type: `Parroquia de San Andrés` over
 * `Apóstol`. The pieces with the two joined; the same pieces where nothing shows that they are one name.
 */
export function joinBoldRows(cells: readonly Cell[], pieces: readonly Token[][]): readonly Token[][] {
  const firstPlain = cells.findIndex((cell) => !isBold(cell.tokens))
  if (firstPlain < 2) return pieces
  for (const [index, piece] of pieces.entries()) {
    const below = pieces[index + 1]
    if (below !== undefined && isOneName(piece, below)) {
      return [...pieces.slice(0, index), [...piece, ...below], ...pieces.slice(index + 2)]
    }
  }
  return pieces
}

const isBold = (tokens: readonly Token[]): boolean => tokens.every((token) => token.bold)

function isOneName(piece: readonly Token[], below: readonly Token[]): boolean {
  const [first, second] = [piece[0], below[0]]
  if (first === undefined || second === undefined || second.row === first.row || !isBold(piece) || !isBold(below))
    return false
  if (Math.abs(first.size - second.size) > 0.03 * first.size || Math.abs(first.x0 - second.x0) > 1) return false
  if (piece.length < 3 || below.length > 3 || tradeLine.test(below[0]?.bare ?? '')) return false
  if ([...piece, ...below].some((token) => /[:@]|\d{4}/.test(token.text)) || /[.)]$/.test(piece.at(-1)?.text ?? ''))
    return false
  return capitals(piece) === capitals(below) && /^\p{Lu}/u.test(second.text)
}

const capitals = (tokens: readonly Token[]): boolean => tokens.every((token) => token.text === token.text.toUpperCase())
