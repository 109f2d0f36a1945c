import type { Word } from '../domain/page.ts'
import type { PdfFile } from './pdf-file.ts'
import { applyBox, type PageFrame, type Rect } from './pdf-page.ts'
import { type Pdfium, readUtf16, withText } from './pdfium.ts'

/** FPDF_ANNOT_* and the flags of PDF 32000-1 12.5.3. */
const freeText = 3
const widget = 20
const hiddenFlags = 0x02 | 0x20
const annotationsMax = 1000
/** FPDF_FORMFIELD_TEXTFIELD and _COMBOBOX. */
const readableFields = [6, 4]

/** Text that stands on a page without being drawn by it: filled form fields and free text annotations. */
export function readFields(file: PdfFile, page: number, frame: PageFrame, firstLine: number): Word[] {
  const { engine } = file
  const count = Math.min(engine._FPDFPage_GetAnnotCount(page), annotationsMax)
  if (count === 0) return []
  return withForm(file, (form) => {
    const words: Word[] = []
    for (let index = 0; index < count; index += 1) {
      const annotation = engine._FPDFPage_GetAnnot(page, index)
      if (annotation === 0) continue
      const text = annotationText(engine, form, annotation)
      if (text !== undefined) {
        const box = seenBox(engine, annotation, frame)
        words.push(...spread(text.value, box, frame, firstLine + words.length, text.origin))
      }
      engine._FPDFPage_CloseAnnot(annotation)
    }
    return words
  })
}

/** Values of fields are inherited through the form's tree, which only the form environment knows. */
function withForm<T>({ engine, document }: PdfFile, use: (form: number) => T): T {
  if (engine._FPDF_GetFormType(document) === 0) return use(0)
  const size = 512
  const info = engine._malloc(size)
  engine.HEAPU8.fill(0, info, info + size)
  engine.HEAP32[info >> 2] = 2
  const form = engine._FPDFDOC_InitFormFillEnvironment(document, info)
  try {
    return use(form)
  } finally {
    if (form !== 0) engine._FPDFDOC_ExitFormFillEnvironment(form)
    engine._free(info)
  }
}

function annotationText(
  engine: Pdfium,
  form: number,
  annotation: number,
): { value: string; origin: 'field' | 'annotation' } | undefined {
  if ((engine._FPDFAnnot_GetFlags(annotation) & hiddenFlags) !== 0) return undefined
  const subtype = engine._FPDFAnnot_GetSubtype(annotation)
  if (subtype === freeText) {
    const value = withText(engine, 'Contents', (key) =>
      readUtf16(engine, (buffer, size) => engine._FPDFAnnot_GetStringValue(annotation, key, buffer, size)),
    )
    return { value, origin: 'annotation' }
  }
  if (subtype !== widget || form === 0) return undefined
  if (!readableFields.includes(engine._FPDFAnnot_GetFormFieldType(form, annotation))) return undefined
  const value = readUtf16(engine, (buffer, size) => engine._FPDFAnnot_GetFormFieldValue(form, annotation, buffer, size))
  return { value, origin: 'field' }
}

function seenBox(engine: Pdfium, annotation: number, frame: PageFrame): Rect {
  const rect = engine._malloc(16)
  engine._FPDFAnnot_GetRect(annotation, rect)
  const [left, top, right, bottom] = [0, 1, 2, 3].map((offset) => engine.HEAPF32[(rect >> 2) + offset] ?? 0)
  engine._free(rect)
  return applyBox(frame.matrix, left ?? 0, bottom ?? 0, right ?? 0, top ?? 0)
}

/** Spreads a value over its box, line by line, each sign as wide as every other one. */
function spread(value: string, box: Rect, frame: PageFrame, line: number, origin: 'field' | 'annotation'): Word[] {
  const rows = value.split(/[\r\n]+/).filter((row) => row.trim() !== '')
  const [x0, y0, x1, y1] = box
  const rowHeight = (y1 - y0) / Math.max(1, rows.length)
  const fontSize = Math.min(12, rowHeight * 0.7)
  return rows.flatMap((row, rowIndex) => {
    const step = Math.min((x1 - x0) / row.length, fontSize * 0.55)
    return [...row.matchAll(/\S+/g)].map(
      (match): Word => ({
        text: match[0],
        x0: unit(x0 + match.index * step, frame.widthPt),
        y0: unit(y0 + rowIndex * rowHeight, frame.heightPt),
        x1: unit(x0 + (match.index + match[0].length) * step, frame.widthPt),
        y1: unit(y0 + (rowIndex + 1) * rowHeight, frame.heightPt),
        confidence: 1,
        fontSize,
        line: line + rowIndex,
        origin,
      }),
    )
  })
}

const unit = (value: number, size: number): number => Math.min(1, Math.max(0, Math.round((value / size) * 1e5) / 1e5))
