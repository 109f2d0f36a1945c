// Runs every test and ends with the plain line `N passed, N failed, N skipped`. `--full` runs the long suites whole.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const full = process.argv.includes('--full')
const only = process.argv.slice(2).filter((argument) => argument !== '--full')
const folder = mkdtempSync(join(tmpdir(), 'asiento-report-'))
const report = join(folder, 'report.json')
const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...only]
const run = spawnSync('vitest', args, {
  stdio: 'inherit',
  env: { ...process.env, TEST_FULL: full ? '1' : '', TURBO_TELEMETRY_DISABLED: '1' },
})

let counts = { passed: 0, failed: 1, skipped: 0 }
try {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
  // A file that could not even be loaded holds no tests, but it has failed.
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  counts = { passed: numPassedTests, failed: numFailedTests + broken.length, skipped: numPendingTests }
} catch {
  process.stdout.write('The test run wrote no report.\n')
}
rmSync(folder, { recursive: true, force: true })
if (run.status !== 0 && counts.failed === 0) counts.failed = 1
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0)
