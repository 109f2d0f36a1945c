// Installs the locked dependencies when they are not there yet or the lockfile has changed. Runs before every npm script
// of the root, on whatever Node the machine has: the install brings Node 24, which npm then finds first on its path.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const stamp = join(root, 'node_modules', '.cache', 'asiento-installed')
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')

const installed = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
if (!installed) {
  process.stdout.write('… installing dependencies (the first time takes a minute or two)\n')
  const started = Date.now()
  const ticking = 'setInterval(() => process.stdout.write("… still installing\\n"), 15000)'
  // The install blocks this process, so another one says that it is still going on.
  const ticker = spawn(process.execPath, ['-e', ticking], { stdio: ['ignore', 'inherit', 'ignore'] })
  const npm = process.env.npm_execpath
  // Not `npm ci`: it refuses a lockfile that was written where packages for other platforms are not offered.
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const result = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit' })
  ticker.kill()
  if (result.status !== 0) {
    process.stderr.write('The dependencies could not be installed; see above.\n')
    process.exit(result.status ?? 1)
  }
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
  process.stdout.write(`… installed in ${Math.round((Date.now() - started) / 1000)} s\n`)
}
