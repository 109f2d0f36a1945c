import { AppError } from '@asiento/proto/errors'
import { describe, expect, it } from 'vitest'
import { sniff } from '../../src/pages/sniff.ts'
import { pageOf } from './pdf-fixtures.ts'

const pdf = pageOf('')
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])
const webp = Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1')
const zipEnd = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])
const text = Buffer.from('Factura 2026/1')

describe('what a file is by its first bytes', () => {
  it.each([
    ['a PDF', pdf, 'a.pdf', 'pdf'],
    ['a PDF after a byte order mark', Buffer.concat([Buffer.from('\ufeff'), pdf]), 'a.pdf', 'pdf'],
    ['a PDF without a name', pdf, undefined, 'pdf'],
    ['a PDF whose name has no extension', pdf, 'factura', 'pdf'],
    ['a PDF whose name has dots', pdf, 'Factura Acme S.L 3.2026', 'pdf'],
    ['a PNG', png, 'a.PNG', 'png'],
    ['a JPEG named jpg', jpeg, 'a.jpg', 'jpeg'],
    ['a JPEG named jpeg', jpeg, 'a.jpeg', 'jpeg'],
    ['a WebP', webp, 'a.webp', 'webp'],
  ])('knows %s', (_name, bytes, filename, format) => {
    expect(sniff(bytes, { filename })).toBe(format)
  })

  it.each([
    ['an empty file', Buffer.alloc(0), 'a.pdf', 'INVALID_INPUT'],
    ['text without an extension', text, undefined, 'FILE_TYPE_INVALID'],
    ['text named txt', text, 'a.txt', 'FILE_TYPE_INVALID'],
    ['a GIF', Buffer.from('GIF89a..........'), 'a.gif', 'FILE_TYPE_INVALID'],
    ['text named pdf', text, 'a.pdf', 'FILE_CONTENT_MISMATCH'],
    ['a PNG named pdf', png, 'a.pdf', 'FILE_CONTENT_MISMATCH'],
    ['a PDF named png', pdf, 'a.png', 'FILE_CONTENT_MISMATCH'],
    ['a JPEG named png', jpeg, 'a.png', 'FILE_CONTENT_MISMATCH'],
    ['a PDF named docx', pdf, 'a.docx', 'FILE_CONTENT_MISMATCH'],
    ['a PDF that is a ZIP too', Buffer.concat([pdf, zipEnd]), 'a.pdf', 'FILE_CONTENT_MISMATCH'],
    ['a JPEG that is a PDF too', Buffer.concat([jpeg, pdf]), 'a.jpg', 'FILE_CONTENT_MISMATCH'],
    ['a web page with a PDF inside', Buffer.concat([Buffer.from('<html>'), pdf]), 'a.pdf', 'FILE_CONTENT_MISMATCH'],
  ])('refuses %s', (_name, bytes, filename, code) => {
    expect(() => sniff(bytes, { filename })).toThrow(expect.objectContaining({ code }))
    expect(() => sniff(bytes, { filename })).toThrow(AppError)
  })
})
