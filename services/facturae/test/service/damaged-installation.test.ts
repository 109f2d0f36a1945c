import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fixture } from '../certificates/fixtures.ts'
import { codeOf, invoice, type Kit, startKit } from './kit.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
let copy: string
let kit: Kit
beforeAll(async () => {
  copy = mkdtempSync(join(realpathSync(tmpdir()), 'facturae-'))
  const service = join(copy, 'services/facturae')
  mkdirSync(service, { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const part of ['src', 'data', 'migrations', 'package.json']) {
    cpSync(join(root, 'services/facturae', part), join(service, part), { recursive: true })
  }
  rmSync(join(service, 'data/xsd'), { recursive: true })
  const { facturae } = await import(pathToFileURL(join(service, 'src/service.ts')).href)
  kit = await startKit({ definition: facturae })
})
afterAll(async () => {
  await kit?.service.stop()
  rmSync(copy, { recursive: true })
})

it('without the official schemas is XML_BUILD_FAILED: nothing unchecked leaves, nothing is charged or kept', async () => {
  const p12 = fixture('natural.p12').toString('base64')
  const signed = { invoice_data: invoice, sign: true, p12_b64: p12, p12_password: 'facturae' }
  expect(await codeOf(kit.convert(invoice))).toBe('XML_BUILD_FAILED')
  expect(await codeOf(kit.toFacturae({ invoice_data: invoice }))).toBe('XML_BUILD_FAILED')
  expect(await codeOf(kit.toFacturae(signed))).toBe('XML_BUILD_FAILED')
  expect(await kit.custody()).toEqual([])
  expect(await kit.events('invoice.signed')).toEqual([])
  expect([kit.state.credits, kit.reservations.size, kit.logs.size]).toEqual([10, 0, 0])
})
