/** Where the picture of a document's page is kept: beside the document, so that both go together. */
export const pageKey = (documentKey: string, page: number): string => `${documentKey}-pages/${page}.png`

/** Pages whose pictures may have been drawn. */
export const pagePicturesMax = 300
