import PDFKit from 'pdfkit'

export interface KitInk {
  size?: number
  bold?: boolean
  align?: 'left' | 'right' | 'center'
  color?: string
  /** Shrinks what is wider. */
  fit?: number
  /** Cuts off what is wider: a cell of a table. */
  clip?: number
}

/** PDFKit with texts at places; points from the top left, `y` is the top of a text. */
export interface Kit {
  say: (x: number, y: number, text: string, ink?: KitInk) => void
  rule: (x0: number, y0: number, x1: number, y1: number) => void
  addPage: () => void
  save: () => Promise<Uint8Array>
}

export function openKit(producer: string): Kit {
  const kit = new PDFKit({ size: 'A4', margin: 0, info: { Producer: producer, CreationDate: new Date(0) } })
  const parts: Buffer[] = []
  const ended = new Promise<void>((resolve, reject) => {
    kit.on('data', (part: Buffer) => parts.push(part))
    kit.on('end', resolve)
    kit.on('error', reject)
  })
  return {
    say: (x, y, text, { size = 9, bold = false, align = 'left', color = '#000', fit = Infinity, clip } = {}) => {
      kit.font(bold ? 'Helvetica-Bold' : 'Helvetica', size).fillColor(color)
      if (clip !== undefined)
        kit
          .save()
          .rect(x, y - 2, clip, size + 4)
          .clip()
      kit.fontSize(size * Math.min(1, fit / kit.widthOfString(text)))
      const wide = kit.widthOfString(text)
      const back = align === 'right' ? wide : align === 'center' ? wide / 2 : 0
      kit.text(text, x - back, y, { lineBreak: false })
      if (clip !== undefined) kit.restore()
    },
    rule: (x0, y0, x1, y1) => {
      kit.moveTo(x0, y0).lineTo(x1, y1).lineWidth(0.5).stroke()
    },
    addPage: () => {
      kit.addPage()
    },
    save: async () => {
      kit.end()
      await ended
      return Buffer.concat(parts)
    },
  }
}
