/**
 * Words of Spanish, Catalan and English purchasing text, brought to a form in which endings, accents, look-alike signs
 * and common abbreviations no longer matter. Pure; the same text always yields the same words.
 */

const stopWords = new Set(
  'de del la el los las lo l d al a y e i o u en con por para per amb sin un una uns une the of and for to in on at sobre su sus se s sl slu sa sau sc scp sll slne scl sccl coop bv ltd limited gmbh inc llc plc nv co cia ag sarl srl mes meses ano anual2 n num no nr ref fra fact invoice enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre gener febrer marc maig juny juliol agost setembre novembre desembre euros eur iva incl desde hasta es em ellos don dona sr sra d periodo fecha concepto varios varias segura'.split(
    ' ',
  ),
)

/** Abbreviations of invoices and company names; what they stand for is stemmed like any other word. */
const abbreviations: Record<string, string> = {
  alq: 'alquiler',
  repar: 'reparacion',
  reparac: 'reparacion',
  rep: 'reparacion',
  com: 'comision',
  comis: 'comision',
  mant: 'mantenimiento',
  mto: 'mantenimiento',
  mnto: 'mantenimiento',
  mtto: 'mantenimiento',
  manten: 'mantenimiento',
  serv: 'servicio',
  svc: 'servicio',
  sumin: 'suministros',
  trans: 'transportes',
  transp: 'transporte',
  tpte: 'transporte',
  ttes: 'transportes',
  ferret: 'ferreteria',
  inst: 'instalacion',
  instal: 'instalacion',
  mat: 'material',
  elect: 'electricidad',
  hon: 'honorarios',
  prof: 'profesionales',
  publ: 'publicidad',
  dist: 'distribuciones',
  distr: 'distribuciones',
  distrib: 'distribuciones',
  ind: 'industriales',
  rest: 'restaurante',
  rte: 'restaurante',
  ayto: 'ayuntamiento',
  excmo: 'ayuntamiento',
  limp: 'limpieza',
  seg: 'seguro',
  imp: 'impuesto',
  impto: 'impuesto',
  tel: 'telefono',
  telef: 'telefono',
  ofic: 'oficina',
  maq: 'maquina',
  veh: 'vehiculo',
  vehic: 'vehiculo',
  carb: 'carburante',
  merc: 'mercancia',
  dev: 'devolucion',
  devol: 'devolucion',
  expdcn: 'expedicion',
  exped: 'expedicion',
  asesor: 'asesoria',
  lic: 'licencia',
  arrend: 'arrendamiento',
  susc: 'suscripcion',
  prod: 'productos',
  cerv: 'cerveza',
  constr: 'construcciones',
  gest: 'gestion',
  subc: 'subcontrata',
  tec: 'tecnico',
  tecn: 'tecnico',
  inf: 'informatico',
  inform: 'informatica',
}

/** Lower case, no accents, no signs; `S.L.` and `m.o.` become `sl` and `mo`. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0410\u0415\u041e\u0420\u0421\u0425]/g, lookAlike)
    .toLowerCase()
    .replace(/\bs\/\s*(?=[a-z])/g, 'segun ')
    .replace(/\bi\s*\+\s*d(\s*\+\s*i)?\b/g, ' imasd ')
    .replace(/l[·.]l/g, 'l')
    .replace(/\b([a-z])\.(?=[a-z]\b)/g, '$1')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

/** Cyrillic letters that look like Latin ones. */
const lookAlike = (sign: string): string => 'aeopcxyaeopcx'['аеорсхуАЕОРСХ'.indexOf(sign)] ?? sign

/**
 * The root that the forms of a word share, so that `comisiones`, `comisión` and Catalan `comissió` meet. Crude on
 * purpose: it only has to treat the lexicon and the invoice alike.
 */
export function stem(word: string): string {
  let root = word.replace(/ss/g, 's').replace(/ç/g, 'c').replace(/(ph)/g, 'f')
  if (root.length <= 3) return root
  root = root.replace(/(ciones|cions|cion|cio|tions|tion)$/, 'cio').replace(/(siones|sions|sion|sio)$/, 'sio')
  if (root.endsWith('cio') || root.endsWith('sio')) return root
  root = root.replace(/(amientos|amiento|aments|ament)$/, 'ament').replace(/(imientos|imiento|iments|iment)$/, 'iment')
  root = root.replace(/s$/, '')
  // In short words the ending tells things apart: bolsa and bolso, pulpa and pulpo, plata and plato.
  root = root.length > 4 ? root.replace(root.length > 5 ? /(e|a|o)$/ : /(e|o)$/, '') : root
  return root.length > 5 ? root.replace(/(e|a|o)$/, '') : root
}

/** The stems of a text in order, without stop words, and without bare numbers and single letters unless `known`. */
export function stems(text: string, known?: (stemmed: string) => string | null): string[] {
  const result: string[] = []
  for (const word of plain(text).split(' ')) {
    if (word === '' || stopWords.has(word)) continue
    if (word.length === 1 && known !== undefined && known(word) === null) continue
    // A number is a quantity or a date, unless the lexicon names it (`modelo 303`).
    if (/^\d+$/.test(word) && known !== undefined && (word.length < 3 || known(word) === null)) continue
    const root = stem(abbreviations[word] ?? word)
    result.push(known?.(root) ?? root)
    if (result.length >= 200) break
  }
  return result
}
