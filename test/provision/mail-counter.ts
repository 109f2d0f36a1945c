import { createServer } from 'node:net'

export interface MailCounter {
  /** For SMTP_URL. */
  url: string
  /** The X-Asiento-Template of every message that was handed over, in order. */
  templates: string[]
  stop(): Promise<void>
}

/** A mail server that accepts everything and counts it. */
export async function startMailCounter(): Promise<MailCounter> {
  const templates: string[] = []
  const server = createServer((socket) => {
    let message: string | undefined
    socket.on('error', () => {})
    socket.write('220 counter\r\n')
    socket.on('data', (chunk) => {
      if (message !== undefined) {
        message += chunk.toString()
        if (!message.endsWith('\r\n.\r\n')) return
        templates.push(/^x-asiento-template: (\S+)/im.exec(message)?.[1] ?? 'unknown')
        message = undefined
        socket.write('250 taken\r\n')
        return
      }
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        if (/^DATA/i.test(line)) message = ''
        socket.write(/^DATA/i.test(line) ? '354 go on\r\n' : /^QUIT/i.test(line) ? '221 bye\r\n' : '250 ok\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    templates,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
