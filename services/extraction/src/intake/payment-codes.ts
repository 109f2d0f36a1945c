import type { PaymentMethod } from '@asiento/proto/schemas/extraction-result'

/** UNTDID 4461 payment means that the result has a word for. */
export const paymentMethods4461: Record<string, PaymentMethod> = {
  '10': 'efectivo',
  '20': 'cheque',
  '21': 'cheque',
  '22': 'cheque',
  '23': 'cheque',
  '30': 'transferencia',
  '31': 'transferencia',
  '42': 'transferencia',
  '58': 'transferencia',
  '48': 'tarjeta',
  '54': 'tarjeta',
  '55': 'tarjeta',
  '49': 'domiciliacion',
  '59': 'domiciliacion',
}
