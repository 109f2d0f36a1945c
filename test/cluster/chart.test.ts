import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const run = promisify(execFile)
const root = new URL('../../', import.meta.url).pathname
const chart = join(root, 'charts/asiento')
const schemas = join(root, '../shared/kube-schemas/strict')
const bin = join(root, 'node_modules/.cache/go-bin')
const kubernetes = [
  '--kube-version',
  '1.36.3',
  '--api-versions',
  'monitoring.coreos.com/v1',
  '--api-versions',
  'keda.sh/v1alpha1',
]

const tools = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
}

/** A Go program built once into the cache of node_modules; undefined where there is no Go. */
async function tool(name: keyof typeof tools): Promise<string | undefined> {
  const path = join(bin, name)
  if (existsSync(path)) return path
  try {
    await mkdir(bin, { recursive: true })
    await run('go', ['install', tools[name]], { env: { ...process.env, GOBIN: bin }, timeout: 600_000 })
    return path
  } catch {
    return undefined
  }
}

const helm = (await run('go', ['version']).catch(() => undefined)) === undefined ? undefined : await tool('helm')
const examples = (await readdir(join(chart, 'ci'))).map((name) => join(chart, 'ci', name))

const render = async (values: string, ...more: string[]): Promise<string> => {
  const { stdout } = await run(helm ?? '', ['template', 'release', chart, '-f', values, ...kubernetes, ...more], {
    maxBuffer: 32 * 1024 ** 2,
  })
  return stdout
}

describe.skipIf(helm === undefined)('the Helm chart', () => {
  test.each(examples)('%s passes helm lint --strict', async (values) => {
    const { stdout } = await run(helm ?? '', ['lint', '--strict', chart, '-f', values, '--kube-version', '1.36.3'])
    expect(stdout).toContain('0 chart(s) failed')
  })

  test.skipIf(!existsSync(schemas)).each(examples)(
    '%s renders objects that Kubernetes knows',
    async (values) => {
      const kubeconform = await tool('kubeconform')
      const rendered = join(tmpdir(), `asiento-chart-${process.pid}.yaml`)
      await writeFile(rendered, await render(values))
      const pattern = `${schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`
      const { stdout } = await run(kubeconform ?? '', ['-strict', '-summary', '-schema-location', pattern, rendered])
      expect(stdout).toMatch(/Invalid: 0, Errors: 0, Skipped: 0/)
    },
    600_000,
  )

  test('every service is a deployment that runs its own entry', async () => {
    const text = await render(join(chart, 'ci/minimal-values.yaml'))
    for (const name of ['identity', 'extraction', 'facturae', 'risk', 'ledger', 'notifications']) {
      expect(text).toContain(`services/${name}/src/main.ts`)
      expect(existsSync(join(root, `services/${name}/src/main.ts`))).toBe(true)
    }
    expect(text.match(/^kind: Deployment$/gm)).toHaveLength(7)
    expect(text).toContain('services/standalone/src/migrate.ts')
  })

  test('what cannot work is refused with a word about it', async () => {
    const minimal = join(chart, 'ci/minimal-values.yaml')
    const refused = (...flags: string[]) =>
      render(minimal, ...flags).then(
        () => '',
        (error: Error) => error.message,
      )
    expect(await refused('--set', 'postgresql.existingSecret=')).toContain(
      'postgresql.existingSecret or postgresql.url',
    )
    expect(await refused('--set', 'objects.endpoint=')).toContain('objects.endpoint is required')
    expect(await refused('--set', 'services.risk.autoscaling.enabled=true,services.risk.keda.enabled=true')).toContain(
      'both',
    )
    expect(await refused('--set', 'servces.risk.replicas=3')).toMatch(/additional properties|not allowed/i)
  })

  test('values and their schema name the same keys', async () => {
    const schema = JSON.parse(await readFile(join(chart, 'values.schema.json'), 'utf8'))
    const { stdout } = await run(helm ?? '', ['show', 'values', chart])
    const keys = stdout.split('\n').flatMap((line) => /^([A-Za-z]+):/.exec(line)?.[1] ?? [])
    expect(keys.filter((key) => schema.properties[key] === undefined)).toEqual([])
    expect(Object.keys(schema.properties).filter((key) => key !== 'global' && !keys.includes(key))).toEqual([])
  })
})
