import { Pool } from 'undici'

/** Milliseconds without a word of the other side after which a call between services counts as lost. */
const silenceMs = 120_000

/**
 * Posts JSON to one server over kept connections and answers the JSON that came back, whatever its status. Rejects when
 * the server cannot be reached, says nothing for two minutes, or answers something else.
 */
export function createJsonPoster(
  url: string,
): (path: string, headers: Record<string, string>, value: unknown) => Promise<unknown> {
  const pool = new Pool(new URL(url).origin, { headersTimeout: silenceMs, bodyTimeout: silenceMs })
  return (path, headers, value) =>
    new Promise((resolve, reject) => {
      const body = value === undefined ? null : JSON.stringify(value)
      const chunks: Buffer[] = []
      pool.dispatch(
        { path, method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body },
        {
          onRequestStart: () => {},
          onResponseStart: () => {},
          onResponseData: (_controller, chunk) => void chunks.push(chunk),
          onResponseEnd: () => {
            try {
              resolve(JSON.parse(Buffer.concat(chunks).toString()))
            } catch (error) {
              reject(error)
            }
          },
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
}
