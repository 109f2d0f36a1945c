/**
 * What reading hands to understanding: words with boxes, page by page, whatever the document was (text, scan, both).
 *
 * Coordinates are fractions of the page as a person looks at it (its rotation applied, scans turned upright and
 * deskewed): x from left to right, y from top to bottom, both 0–1. A box is `x0 <= x1`, `y0 <= y1`. Multiply by
 * `widthPt` and `heightPt` where real distances matter (a page is seldom square).
 */

export interface Box {
  x0: number
  y0: number
  x1: number
  y1: number
}

/** One word: a run of signs without a gap. Never empty, never with blanks inside. */
export interface Word extends Box {
  text: string
  /** 0–1. Text of a PDF's text layer is 1; OCR gives the engine's own figure, uncalibrated. */
  confidence: number
  /** Height of the font in points; of OCR the estimate from the line's height. */
  fontSize: number
  /** True for a bold face or text printed twice at a tiny offset; absent where nothing tells. */
  bold?: boolean
  /** Clockwise direction of reading in degrees, absent for ordinary text. Margins often run at 90 or 270. */
  rotation?: 90 | 180 | 270
  /**
   * The line on its page that the word belongs to as far as the source tells: words of one number stand on one
   * baseline without a wide gap. A hint only; columns of a table usually have different lines.
   */
  line: number
  /** Where the word comes from when that is not the page's text: a filled form field or an annotation. */
  origin?: 'field' | 'annotation'
}

/** A drawn horizontal or vertical line. A box or filled area is given as its four edges. */
export interface Rule extends Box {
  direction: 'horizontal' | 'vertical'
}

/** Figures that tell how far OCR can be trusted on this page. */
export interface ImageQuality {
  /** Resolution of the source in dots per inch, estimated from the page's size. */
  dpi: number
  /** Degrees that the page was turned by to stand upright (0, 90, 180, 270) and then deskewed by. */
  turnedDegrees: 0 | 90 | 180 | 270
  skewDegrees: number
  /** Difference of paper and ink, 0–1. */
  contrast: number
  /** Sharpness of edges, 0–1; below 0.2 reading suffers. */
  sharpness: number
  /** Mean of the words' confidences weighted by length, 0–1. */
  confidence: number
  /** True when amounts read from this page should be doubted: the warning `low_quality_image`. */
  low: boolean
}

export interface Page {
  /** From 0. */
  index: number
  widthPt: number
  heightPt: number
  source: 'text' | 'ocr'
  /** In reading order of the source. */
  words: Word[]
  /** Drawn lines; empty where finding them was not worth the time. */
  rules: Rule[]
  /** Only where `source` is `ocr`. */
  quality?: ImageQuality
}

/** Something that the reader noticed; `code` is a row of the warnings of the extraction result or of the reader only. */
export interface ReadingWarning {
  code: 'low_quality_image' | 'pages_left_out' | 'page_unreadable' | 'text_layer_replaced' | 'embedded_xml_unreadable'
  message: string
  page?: number
}

/** An invoice as XML that a PDF carries as an attachment (Factur-X, ZUGFeRD, Facturae, UBL). */
export interface EmbeddedXml {
  name: string
  bytes: Uint8Array
}

export interface Document {
  /** What the file is by its content. */
  format: 'pdf' | 'png' | 'jpeg' | 'webp'
  /** `mixed` when some pages are text and some OCR. */
  engine: 'text' | 'ocr' | 'mixed'
  /** Pages that the file has; `pages` may hold fewer (see the warning `pages_left_out`). */
  pageCount: number
  pages: Page[]
  embeddedXml?: EmbeddedXml
  warnings: ReadingWarning[]
}
