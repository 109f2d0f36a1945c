import { createServer } from 'node:https'
import { parentPort, workerData } from 'node:worker_threads'

/** A receiver on a thread of its own: answers 200 at once and tells its count when asked. */
let count = 0
const server = createServer({ key: workerData.key, cert: workerData.cert }, (request, response) => {
  request.resume().on('end', () => {
    if (request.method === 'POST') count += 1
    response.writeHead(200).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  parentPort?.postMessage({ port: typeof address === 'object' ? address?.port : 0 })
})
parentPort?.on('message', (question: 'count' | 'reset') => {
  if (question === 'reset') count = 0
  parentPort?.postMessage({ count })
})
