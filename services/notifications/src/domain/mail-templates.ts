import type { EventPayload } from '@asiento/proto/events'

type Mail = EventPayload<'mail.requested'>
export type MailTemplate = Mail['template']
export type MailData = Mail['data']
export type MailLocale = Mail['locale']

/** What a mail says, before it becomes HTML and text. */
export interface MailContent {
  subject: string
  paragraphs: string[]
  /** The one thing to do, as a button and as a line of text. */
  action?: { label: string; url: string }
}

type Fill = (data: Values) => MailContent
/** Every value as text; what is absent is empty. */
type Values = Record<string, string>

const quoted = (text: string): string => (text === '' ? '' : ` «${text}»`)
const action = (label: string, url: string | undefined): Pick<MailContent, 'action'> =>
  url ? { action: { label, url } } : {}

const spanish: Record<MailTemplate, Fill> = {
  verify: (d) => ({
    subject: 'Confirma tu dirección de correo',
    paragraphs: [
      'Gracias por registrarte. Confirma tu dirección de correo para empezar a usar el servicio.',
      `El enlace es válido durante ${d.valid_hours} horas. Si no te has registrado, no hagas nada.`,
    ],
    ...action('Confirmar la dirección', d.link),
  }),
  already_registered: (d) => ({
    subject: 'Ya tienes una cuenta',
    paragraphs: [
      'Alguien ha intentado registrarse con esta dirección de correo, que ya tiene una cuenta.',
      'Si has sido tú, entra con tu contraseña o pide una nueva. Si no, no hagas nada: tu cuenta no ha cambiado.',
    ],
    ...action('Entrar', d.link),
  }),
  reset: (d) => ({
    subject: 'Elige una contraseña nueva',
    paragraphs: [
      'Hemos recibido una petición para cambiar la contraseña de tu cuenta.',
      `El enlace sirve una sola vez y es válido durante ${d.valid_hours} h. Si no lo has pedido, no hagas nada.`,
    ],
    ...action('Elegir contraseña', d.link),
  }),
  batch_finished: (d) => ({
    subject:
      d.status === 'failed'
        ? 'Tu lote de facturas no se ha podido procesar'
        : `Tu lote de ${d.total} facturas ha terminado`,
    paragraphs: [
      `Se han procesado ${d.processed} de ${d.total} archivos; ${d.failed} con error.`,
      `Los resultados se pueden consultar durante 24 horas desde que se creó el lote (identificador ${d.job_id}).`,
    ],
    ...action('Ver los resultados', d.link),
  }),
  quota_warning: (d) => ({
    subject: `Te quedan ${d.remaining} facturas este mes`,
    paragraphs: [
      `Has usado ${d.used} de las ${d.quota} facturas de tu plan ${d.plan}; quedan ${d.remaining}.`,
      'Cuando se acaben, el servicio no aceptará más hasta el mes que viene o hasta que cambies de plan.',
    ],
    ...action('Ver el uso', d.link),
  }),
  certificate_expiring: (d) => ({
    subject: `El certificado${quoted(d.name ?? '')} caduca pronto`,
    paragraphs: [
      `El certificado${quoted(d.name ?? d.subject ?? '')} caduca el ${d.expires_at}.`,
      'Desde ese día no se podrá firmar con él. Sube el nuevo antes.',
    ],
    ...action('Ver los certificados', d.link),
  }),
  webhook_switched_off: (d) => ({
    subject: 'Hemos desactivado un webhook',
    paragraphs: [
      d.reason === 'gone'
        ? `El destino ${d.url} ha contestado que ya no existe (410), así que no le enviaremos más eventos.`
        : `El destino ${d.url} lleva cinco días sin aceptar eventos, así que hemos dejado de enviárselos.`,
      'Cuando funcione otra vez, actívalo de nuevo; las entregas fallidas se pueden repetir desde su registro.',
    ],
    ...action('Ver los webhooks', d.link),
  }),
  trial_ending: (d) => ({
    subject: 'Tu periodo de prueba de contabilidad termina pronto',
    paragraphs: [
      `El periodo de prueba de la contabilidad termina el ${d.trial_ends_at}.`,
      'Tus asientos y documentos se conservan; para seguir trabajando con ellos, elige un plan.',
    ],
    ...action('Elegir un plan', d.link),
  }),
}

const english: Record<MailTemplate, Fill> = {
  verify: (d) => ({
    subject: 'Confirm your email address',
    paragraphs: [
      'Thank you for signing up. Confirm your email address to start using the service.',
      `The link is valid for ${d.valid_hours} hours. If you did not sign up, there is nothing to do.`,
    ],
    ...action('Confirm the address', d.link),
  }),
  already_registered: (d) => ({
    subject: 'You already have an account',
    paragraphs: [
      'Somebody tried to sign up with this email address, which already has an account.',
      'If it was you, sign in with your password or ask for a new one. If not, nothing has changed.',
    ],
    ...action('Sign in', d.link),
  }),
  reset: (d) => ({
    subject: 'Choose a new password',
    paragraphs: [
      'We received a request to change the password of your account.',
      `The link works once and is valid for ${d.valid_hours} h. If you did not ask for it, there is nothing to do.`,
    ],
    ...action('Choose a password', d.link),
  }),
  batch_finished: (d) => ({
    subject:
      d.status === 'failed' ? 'Your batch of invoices could not be run' : `Your batch of ${d.total} invoices is done`,
    paragraphs: [
      `${d.processed} of ${d.total} files were processed, ${d.failed} of them with an error.`,
      `The results can be fetched for 24 hours from the batch's creation (id ${d.job_id}).`,
    ],
    ...action('See the results', d.link),
  }),
  quota_warning: (d) => ({
    subject: `${d.remaining} invoices left this month`,
    paragraphs: [
      `You have used ${d.used} of the ${d.quota} invoices of your ${d.plan} plan; ${d.remaining} are left.`,
      'When they are used up, no more are accepted until next month or until you change your plan.',
    ],
    ...action('See the usage', d.link),
  }),
  certificate_expiring: (d) => ({
    subject: `The certificate${quoted(d.name ?? '')} expires soon`,
    paragraphs: [
      `The certificate${quoted(d.name ?? d.subject ?? '')} expires on ${d.expires_at}.`,
      'It cannot sign from that day on. Upload its successor before.',
    ],
    ...action('See the certificates', d.link),
  }),
  webhook_switched_off: (d) => ({
    subject: 'We switched off a webhook',
    paragraphs: [
      d.reason === 'gone'
        ? `${d.url} answered that it is gone (410), so it gets no more events.`
        : `${d.url} has not accepted an event for five days, so it gets no more of them.`,
      'Switch it on again when it works; failed deliveries can be repeated from its log.',
    ],
    ...action('See the webhooks', d.link),
  }),
  trial_ending: (d) => ({
    subject: 'Your ledger trial ends soon',
    paragraphs: [
      `The trial of the ledger ends on ${d.trial_ends_at}.`,
      'Your entries and documents are kept; choose a plan to go on working with them.',
    ],
    ...action('Choose a plan', d.link),
  }),
}

const templates: Record<MailLocale, Record<MailTemplate, Fill>> = { es: spanish, en: english }
const greetings: Record<MailLocale, string> = { es: 'Hola', en: 'Hello' }

/** Fills a template. The greeting carries `full_name` where the data has it. */
export function fillTemplate(template: MailTemplate, locale: MailLocale, data: MailData): MailContent {
  const values = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, oneLine(value)]))
  const content = templates[locale][template](values)
  const greeting = [greetings[locale], values.full_name].filter(Boolean).join(' ')
  return { ...content, paragraphs: [`${greeting}:`, ...content.paragraphs] }
}

/** Names and addresses come from users: control characters would break a header or a line. */
const oneLine = (value: string | number | null): string =>
  String(value ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
