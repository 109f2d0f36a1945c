import type { Layout } from '../layout.ts'
import { bilingualSealed4 } from './bilingual.ts'
import { fieldsSealed4 } from './fields.ts'
import { formsSealed4 } from './forms.ts'
import { impactSealed4 } from './impact.ts'
import { kitsSealed4 } from './kits.ts'
import { lettersSealed4 } from './letters.ts'
import { reportsSealed4 } from './reports.ts'
import { sheetsSealed4 } from './sheets.ts'
import { tablesSealed4 } from './tables.ts'

/** What other producers than a browser write: fields in any order, line printers, TeX, forms, tables over pages. */
export const layoutsSealed4: readonly Layout[] = [
  ...impactSealed4,
  ...fieldsSealed4,
  ...lettersSealed4,
  ...reportsSealed4,
  ...kitsSealed4,
  ...tablesSealed4,
  ...bilingualSealed4,
  ...formsSealed4,
  ...sheetsSealed4,
]
