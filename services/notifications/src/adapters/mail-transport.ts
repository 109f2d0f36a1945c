import { createHash } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import nodemailer from 'nodemailer'

export interface OutgoingMail {
  /** The same on every attempt. */
  mailId: string
  createdAt: Date
  from: string
  to: string
  raw: Buffer
}

/** A refusal that no further attempt can change (SMTP 5xx). */
export class MailRefusedError extends Error {}

/** The server had the whole message and did not answer: it may be delivered, so it must not be sent again. */
export class MailInDoubtError extends Error {}

export interface MailTransport {
  /**
   * Hands one mail over. `beforeLastByte` runs when everything but the end of the message has been written: until it
   * resolves the server cannot have accepted the mail. Fails {@link MailRefusedError}, {@link MailInDoubtError}, or with
   * any other error when the mail was certainly not accepted.
   */
  send(mail: OutgoingMail, beforeLastByte: () => Promise<void>): Promise<void>
  close(): void
}

/** Sends through an SMTP server. */
export function createSmtpTransport(url: string): MailTransport {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  } as never)
  return {
    send: async ({ from, to, raw }, beforeLastByte) => {
      let ending = false
      async function* bytes() {
        yield raw
        await beforeLastByte()
        ending = true
      }
      try {
        await transport.sendMail({ envelope: { from, to }, raw: Readable.from(bytes()) as never })
      } catch (error) {
        throw verdict(error, ending)
      }
    },
    close: () => transport.close(),
  }
}

const aboutTheMail = ['RCPT TO', 'DATA']

function verdict(error: unknown, ending: boolean): unknown {
  const message = error instanceof Error ? error.message : String(error)
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown }
  const status = Number(responseCode)
  // A 5xx to the login is about our settings, not about this mail.
  if (status >= 500 && aboutTheMail.includes(String(command))) return new MailRefusedError(message, { cause: error })
  if (ending && !(status >= 400)) return new MailInDoubtError(message, { cause: error })
  return error
}

/** Writes each mail as an .eml file; writing it again replaces the same file. */
export function createFileTransport(directory: string): MailTransport {
  return {
    send: async ({ mailId, createdAt, raw }) => {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const moment = createdAt.toISOString().replaceAll(':', '-')
      const name = `${moment}-${createHash('sha256').update(mailId).digest('hex').slice(0, 16)}.eml`
      const draft = join(directory, `.${name}`)
      await writeFile(draft, raw, { mode: 0o600 })
      await rename(draft, join(directory, name))
    },
    close: () => {},
  }
}
