import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('./dss/', import.meta.url))
const cache = fileURLToPath(new URL('../../../../node_modules/.cache/dss-judge-6.2/', import.meta.url))

/**
 * Makes the judge ready: EU DSS 6.2 from Maven Central, kept in node_modules/.cache. False where there is no Java or Maven, or
 * the artifacts cannot be had; the tests that need it are then skipped and counted.
 */
export function dssAvailable(): boolean {
  if (spawnSync('java', ['-version']).status !== 0) return false
  if (existsSync(cache) && readdirSync(cache).some((name) => name.startsWith('dss-validation'))) return true
  mkdirSync(cache, { recursive: true })
  const goal = ['-B', '-q', '-f', `${source}pom.xml`, 'dependency:copy-dependencies', `-DoutputDirectory=${cache}`]
  return (
    spawnSync('mvn', ['-o', ...goal], { timeout: 60_000 }).status === 0 ||
    spawnSync('mvn', goal, { timeout: 240_000 }).status === 0
  )
}

/** What DSS says of one file, by field. */
export type DssVerdict = Record<string, string>

/** Judges signed files by name, in one run of the virtual machine. */
export function judgeByDss(files: readonly string[]): DssVerdict[] {
  const output = execFileSync('java', ['-cp', `${cache}*`, `${source}Judge.java`], {
    input: `${files.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  return output
    .trim()
    .split('\n')
    .map((line) =>
      Object.fromEntries(
        line
          .split('\t')
          .slice(1)
          .map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]),
      ),
    )
}
