/** Where the original of a piece of work is kept. */
export const documentKey = (row: { id: number; user_id: number; work_id: string }): string =>
  `documents/${row.user_id}/${row.id}-${row.work_id}`

/** Where the picture of a document's page is kept: beside the document, so that both go together. */
export const pageKey = (documentKey: string, page: number): string => `${documentKey}-pages/${page}.png`

/** Pages whose pictures may have been drawn. */
export const pagePicturesMax = 300
