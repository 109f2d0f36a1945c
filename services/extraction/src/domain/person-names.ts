import { type Token, textOf } from './layout.ts'
import type { NameFound } from './party-name.ts'

/** Given names of people in Spain, the commonest of each language (INE, Estadística del Padrón), without accents. */
const given = new Set(
  `aaron abel adela adolfo adrian agueda agustin ahmed aida ainara ainhoa aitana aitor alba albert alberto alejandra
  alejandro alex alexandre alfonso alfredo alicia alvaro amaia amparo ana andrea andreu andres angel angela angels
  anna antoni antonia antonio anxo araceli ariadna arnau aroa arturo asier asuncion aurora baltasar bartolome beatriz
  begona belen benito bernardo bernat berta blanca borja bruno camila candela carla carles carlos carme carmen
  carolina catalina cecilia celia cesar clara claudia concepcion consuelo cristian cristina cristobal damaso daniel
  daniela david diana diego dolores domingo edgar eduard eduardo elena elisa eloy elvira emilia emilio emma
  encarnacion enric enrique erik ernesto esperanza estefania ester esther estela eugenia eugenio eva fatima federico
  felipe felix fermin fernando ferran fina francesc francesca francisca francisco gabriel gabriela gema gemma gerard
  german gloria gonzalo gorka gregorio guadalupe guillem guillermo gustavo hamid hassan hector helena hugo ignacio
  igor iker imanol inaki ines inmaculada iolanda iratxe irene iria iris irina isaac isabel isidro ismael ivan izaskun
  jacinto jaime jan jaume javier jaione jesus joan joana joaquin joel jon jonathan jordi jorge jose josefa josefina
  josep josu josune juan juana judit julen julia julian juliana julio karim kepa kevin koldo laia lara laura leandro
  leire leocadia leonor leticia lidia lluis lorena lorenzo lourdes lucas lucia luis luisa luz magdalena maite manel
  manuel manuela mar marc marcelino marcos margarita maria mariam mariano maribel marina mario marisa marta marti
  martin martina mateo mateu matias mercedes merce meritxell miguel mikel milagros mireia miren miriam modesto mohamed
  moises monica montserrat mustafa nagore natalia nekane nerea neus nicolas nieves noa noelia noemi nora nuria oihane
  olga olivia omar oriol oscar pablo paloma paola patricia patxi pau paula pedro pep pere petra pilar pol purificacion
  quim rafael raimundo ramiro ramon raquel raul remedios ricard ricardo rita roberto rocio rodrigo roger roque rosa
  rosalia rosario ruben ruth salvador samuel sandra santiago sara sebastian sergi sergio silvia sofia soledad sonia
  sonsoles susana tamara teodoro teresa tomas toni trinidad unai uxue valentin valentina vanesa vega vera veronica
  vicenta vicente vicent victor victoria virginia xabier xavier xoan xose yaiza yasmina yolanda youssef zaira zoe
  idaira gara nayra yeray`
    .split(/\s+/)
    .filter((name) => name !== ''),
)

const linking = /^(?:de|del|la|las|los|y|i|e|da|do|dos)$/

/**
 * The name of a natural person among pieces of text, for a tax id of one: what hangs over it may be a brand
 * (`CLÍNICA SAN ANTÓN` over `Laura Esteban Gil`, `FERRETERÍA LOS ARCOS` over `de Jesús Arcos Román`).
 */
export function personAmong(pieces: readonly (readonly Token[])[]): NameFound | null {
  for (const piece of pieces) {
    const from = linking.test(piece[0]?.bare ?? '') ? 1 : 0
    const end = piece.findIndex((token, at) => at >= from && !isNamePart(token))
    const tokens = piece.slice(from, end < 0 ? piece.length : end)
    if (isPerson(tokens)) {
      const text = textOf(tokens).replace(/[\s,.;:]+$/, '')
      return { text, tokens: [...tokens], score: 4.5, legal: false }
    }
  }
  return null
}

/** `Laura Esteban Gil`, `PÉREZ RUIZ, JUAN`: two to six words, a given name first or behind a comma. */
export function isPerson(tokens: readonly Token[]): boolean {
  if (tokens.length < 2 || tokens.length > 7 || !tokens.every(isNamePart)) return false
  const comma = tokens.findIndex((token) => /,$/.test(token.text))
  const first = tokens[comma >= 0 && comma < tokens.length - 1 ? comma + 1 : 0]
  return first !== undefined && given.has(first.bare)
}

const isNamePart = (token: Token): boolean => linking.test(token.bare) || /^\p{Lu}[\p{L}'’·-]*[,.]?$/u.test(token.text)
