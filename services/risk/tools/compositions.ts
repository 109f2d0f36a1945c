/** Nouns of action that decide a Spanish noun phrase, whatever thing follows: *alquiler de furgoneta* is rent. */
const heads: readonly { account: string; words: readonly string[] }[] = [
  { account: '621', words: ['alquiler de', 'alq.', 'lloguer de', 'renting de', 'aluguer', 'rental of'] },
  {
    account: '622',
    words: [
      'reparación de',
      'rep.',
      'mantenimiento de',
      'arreglo de',
      'reparació de',
      'repair of',
      'revisión',
      'avería',
    ],
  },
  { account: '623', words: ['tasación de', 'proyecto de', 'informe pericial', 'diseño de', 'honorarios'] },
  { account: '624', words: ['transporte de', 'portes', 'traslado de', 'envío de', 'shipping of', 'tte.'] },
  { account: '625', words: ['seguro de', 'póliza', 'assegurança', 'prima seguro', 'insurance of'] },
  { account: '627', words: ['anuncio', 'publicidad de', 'campaña'] },
  { account: '628', words: ['combustible', 'gasóleo', 'carburante', 'consumo eléctrico', 'fuel'] },
  { account: '629', words: ['curso de', 'limpieza de', 'formación', 'curs de'] },
  { account: '602', words: ['recambios para', 'repuestos', 'accesorios para'] },
  { account: '607', words: ['subcontrata de', 'montaje por cuenta del cliente de', 'subcontratación'] },
  { account: '608', words: ['abono devolución', 'devolución de'] },
  { account: '662', words: ['intereses financiación', 'intereses préstamo'] },
]

/** What goes before an investment, or is paid beside it. */
const investmentHeads: typeof heads = [
  { account: '239', words: ['anticipo', 'pago a cuenta', 'anticipo 30% pedido', 'entrega a cuenta', 'señal pedido'] },
  { account: '260', words: ['fianza alquiler', 'fianza', 'depósito de garantía', 'fiança lloguer'] },
]

const purchases = ['compra de', 'suministro de', 'adquisición de', 'compra', 'purchase of', 'suministro']

export interface Composition {
  account: string
  line: string
}

/**
 * Purchases that no file holds, made of a head and the name of a thing, so that the model learns to follow the head.
 * The same things always yield the same compositions: one for each thing, and the thing itself after a word of buying.
 */
export function compositions(things: readonly { account: string; phrase: string }[]): Composition[] {
  return things.flatMap(({ account, phrase }, index) => {
    const investment = account.startsWith('2')
    const choice = investment ? [...heads, ...investmentHeads] : heads
    const head = choice[index % choice.length]
    if (head === undefined) return []
    const word = head.words[Math.floor(index / choice.length) % head.words.length]
    const bought = investment ? [{ account, line: `${purchases[index % purchases.length]} ${phrase}` }] : []
    return [{ account: head.account, line: `${word} ${phrase}` }, ...bought]
  })
}
