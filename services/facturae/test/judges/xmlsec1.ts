import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

/** Whether Debian's xmlsec1 is installed; the tests that need it are otherwise skipped and counted. */
export const xmlsec1Available = (): boolean => spawnSync('xmlsec1', ['--version']).status === 0

const run = promisify(execFile)

/**
 * What xmlsec1 says of a signed file: null when it accepts the signature with all its references, else its words. Whether the
 * certificate is trusted is not asked.
 */
export async function judgeByXmlsec1(file: string): Promise<string | null> {
  const ids = [
    'http://www.w3.org/2000/09/xmldsig#:KeyInfo',
    'http://uri.etsi.org/01903/v1.3.2#:SignedProperties',
    'http://www.w3.org/2000/09/xmldsig#:Signature',
  ].flatMap((element) => ['--id-attr:Id', element])
  const options = ['--verify', '--insecure', '--enabled-key-data', 'x509', ...ids, file]
  try {
    const { stdout, stderr } = await run('xmlsec1', options)
    const said = `${stdout}${stderr}`
    return /\bOK\b/.test(said) ? null : said
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
