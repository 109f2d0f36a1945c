import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { PDFiumModule } from '@hyzyla/pdfium'

/**
 * The PDFium engine as one WebAssembly instance a thread, with the part of its C interface that reading needs.
 *
 * Pointers are numbers, 0 is null; coordinates that come out of it are points with y upwards. It is synchronous: a
 * document that makes it spin is stopped only by ending the thread.
 */
export interface Pdfium {
  HEAPU8: Uint8Array
  HEAPU16: Uint16Array
  HEAP32: Int32Array
  HEAPU32: Uint32Array
  HEAPF32: Float32Array
  HEAPF64: Float64Array
  _malloc: (size: number) => number
  _free: (pointer: number) => void
  _PDFium_Init: () => void
  _FPDF_LoadMemDocument: (bytes: number, size: number, password: number) => number
  _FPDF_CloseDocument: (document: number) => void
  _FPDF_GetLastError: () => number
  _FPDF_GetPageCount: (document: number) => number
  _FPDF_LoadPage: (document: number, index: number) => number
  _FPDF_ClosePage: (page: number) => void
  _FPDF_GetPageWidthF: (page: number) => number
  _FPDF_GetPageHeightF: (page: number) => number
  _FPDF_PageToDevice: (
    page: number,
    startX: number,
    startY: number,
    sizeX: number,
    sizeY: number,
    rotate: number,
    x: number,
    y: number,
    outX: number,
    outY: number,
  ) => number
  _FPDFText_LoadPage: (page: number) => number
  _FPDFText_ClosePage: (text: number) => void
  _FPDFText_CountChars: (text: number) => number
  _FPDFText_GetUnicode: (text: number, index: number) => number
  _FPDFText_IsGenerated: (text: number, index: number) => number
  _FPDFText_HasUnicodeMapError: (text: number, index: number) => number
  _FPDFText_GetLooseCharBox: (text: number, index: number, rect: number) => number
  _FPDFText_GetCharBox: (
    text: number,
    index: number,
    left: number,
    right: number,
    bottom: number,
    top: number,
  ) => number
  _FPDFText_GetCharOrigin: (text: number, index: number, x: number, y: number) => number
  _FPDFText_GetTextObject: (text: number, index: number) => number
  _FPDFText_GetFontSize: (text: number, index: number) => number
  _FPDFText_GetCharAngle: (text: number, index: number) => number
  _FPDFTextObj_GetTextRenderMode: (object: number) => number
  _FPDFTextObj_GetFont: (object: number) => number
  _FPDFFont_GetBaseFontName: (font: number, buffer: number, size: number) => number
  _FPDFFont_GetWeight: (font: number) => number
  _FPDFPage_CountObjects: (page: number) => number
  _FPDFPage_GetObject: (page: number, index: number) => number
  _FPDFFormObj_CountObjects: (form: number) => number
  _FPDFFormObj_GetObject: (form: number, index: number) => number
  _FPDFPageObj_GetType: (object: number) => number
  _FPDFPageObj_GetBounds: (object: number, left: number, bottom: number, right: number, top: number) => number
  _FPDFPageObj_GetMatrix: (object: number, matrix: number) => number
  _FPDFPageObj_GetFillColor: (object: number, r: number, g: number, b: number, a: number) => number
  _FPDFPageObj_GetStrokeWidth: (object: number, width: number) => number
  _FPDFPath_CountSegments: (path: number) => number
  _FPDFPath_GetPathSegment: (path: number, index: number) => number
  _FPDFPath_GetDrawMode: (path: number, fillMode: number, stroke: number) => number
  _FPDFPathSegment_GetPoint: (segment: number, x: number, y: number) => number
  _FPDFPathSegment_GetType: (segment: number) => number
  _FPDFPathSegment_GetClose: (segment: number) => number
  _FPDFImageObj_GetImagePixelSize: (image: number, width: number, height: number) => number
  _FPDFImageObj_GetImageFilterCount: (image: number) => number
  _FPDFImageObj_GetImageFilter: (image: number, index: number, buffer: number, size: number) => number
  _FPDFImageObj_GetImageDataRaw: (image: number, buffer: number, size: number) => number
  _FPDFBitmap_CreateEx: (width: number, height: number, format: number, scan: number, stride: number) => number
  _FPDFBitmap_FillRect: (bitmap: number, x: number, y: number, width: number, height: number, color: number) => number
  _FPDFBitmap_GetBuffer: (bitmap: number) => number
  _FPDFBitmap_GetStride: (bitmap: number) => number
  _FPDFBitmap_Destroy: (bitmap: number) => void
  _FPDF_RenderPageBitmap: (
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ) => void
  _FPDFPage_GetAnnotCount: (page: number) => number
  _FPDFPage_GetAnnot: (page: number, index: number) => number
  _FPDFPage_CloseAnnot: (annotation: number) => void
  _FPDFAnnot_GetSubtype: (annotation: number) => number
  _FPDFAnnot_GetFlags: (annotation: number) => number
  _FPDFAnnot_GetRect: (annotation: number, rect: number) => number
  _FPDFAnnot_GetStringValue: (annotation: number, key: number, buffer: number, size: number) => number
  _FPDFDOC_InitFormFillEnvironment: (document: number, info: number) => number
  _FPDFDOC_ExitFormFillEnvironment: (form: number) => void
  _FPDF_GetFormType: (document: number) => number
  _FPDF_FFLDraw: (
    form: number,
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ) => void
  _FPDFAnnot_GetFormFieldType: (form: number, annotation: number) => number
  _FPDFAnnot_GetFormFieldValue: (form: number, annotation: number, buffer: number, size: number) => number
  _FPDFDoc_GetAttachmentCount: (document: number) => number
  _FPDFDoc_GetAttachment: (document: number, index: number) => number
  _FPDFAttachment_GetName: (attachment: number, buffer: number, size: number) => number
  _FPDFAttachment_GetFile: (attachment: number, buffer: number, size: number, outSize: number) => number
}

let loading: Promise<Pdfium> | undefined

/** The engine of this thread, started at first use (about 30 ms). */
export function pdfium(): Promise<Pdfium> {
  loading ??= start()
  return loading
}

/** Memory that the engine may keep between documents; WebAssembly never gives any back. */
const keptBytesMax = 384 * 1024 * 1024

/** Forgets an engine that faulted or has grown large, so that the next document gets a fresh one. */
export function retirePdfium(engine: Pdfium, faulted: boolean): void {
  if (faulted || engine.HEAPU8.length > keptBytesMax) loading = undefined
}

async function start(): Promise<Pdfium> {
  const wasm = await readFile(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm'))
  // The package types only the few functions that its own wrapper calls; the module exports the whole C interface.
  const options = { wasmBinary: wasm.buffer as ArrayBuffer, print: () => {}, printErr: () => {} }
  const engine = (await PDFiumModule(options)) as unknown as Pdfium
  engine._PDFium_Init()
  return engine
}

/** UTF-16LE text of one of the calls `(buffer, size) → bytes needed with the closing zero`. */
export function readUtf16(engine: Pdfium, call: (buffer: number, size: number) => number, bytesMax = 65_536): string {
  const size = call(0, 0)
  if (size <= 2 || size > bytesMax) return ''
  const pointer = engine._malloc(size)
  try {
    call(pointer, size)
    return Buffer.from(engine.HEAPU8.subarray(pointer, pointer + size - 2)).toString('utf16le')
  } finally {
    engine._free(pointer)
  }
}

/** Calls with a zero-terminated copy of an ASCII text in the engine's memory. */
export function withText<T>(engine: Pdfium, text: string, use: (pointer: number) => T): T {
  const pointer = engine._malloc(text.length + 1)
  for (let index = 0; index < text.length; index += 1) engine.HEAPU8[pointer + index] = text.charCodeAt(index)
  engine.HEAPU8[pointer + text.length] = 0
  try {
    return use(pointer)
  } finally {
    engine._free(pointer)
  }
}
