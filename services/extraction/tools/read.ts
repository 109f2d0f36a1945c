import { readFile } from 'node:fs/promises'
import { readDocument } from '../src/pages/read-document.ts'

/** Prints what reading makes of a file: `node tools/read.ts FILE [--text]`. */
const [file, mode] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: read.ts FILE [--text]')
const document = await readDocument(await readFile(file), { filename: file })
if (mode === '--text') {
  for (const page of document.pages) {
    let line = -1
    for (const word of page.words) {
      process.stdout.write(`${word.line === line ? ' ' : '\n'}${word.text}`)
      line = word.line
    }
  }
  process.stdout.write(`\n${document.engine} ${JSON.stringify(document.warnings)}\n`)
} else {
  process.stdout.write(
    `${JSON.stringify(document, (_key, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value))}\n`,
  )
}
