const namespace = 'http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml'

/**
 * A Facturae 3.2.2 in canonical form with as many lines as asked (20 lines are 25 kB), different for each seed: names with accents,
 * astral characters, escapes and blanks.
 */
export function sampleInvoice({ seed = 1, lines = 3 }: { seed?: number; lines?: number } = {}): string {
  const words = [
    'Consultoría técnica',
    'Año 2026 &amp; cierre',
    '“Fase” &lt;1&gt;',
    'Café\tà la carte',
    '€uros 𝄞',
    'Ñandú · 50 %',
  ]
  const word = (i: number): string => words[(seed * 7 + i * 3) % words.length] ?? ''
  const amount = (cents: number): string => `<TotalAmount>${(cents / 100).toFixed(2)}</TotalAmount>`
  const net = lines * 10_000
  const tax = (lines * 10_000 * 21) / 100
  const address =
    '<AddressInSpain><Address>C/ Falsa, 123</Address><PostCode>28001</PostCode><Town>Madrid</Town>' +
    '<Province>Madrid</Province><CountryCode>ESP</CountryCode></AddressInSpain>'
  const party = (name: string, taxId: string): string =>
    '<TaxIdentification><PersonTypeCode>J</PersonTypeCode><ResidenceTypeCode>R</ResidenceTypeCode>' +
    `<TaxIdentificationNumber>${taxId}</TaxIdentificationNumber></TaxIdentification>` +
    `<LegalEntity><CorporateName>${name}</CorporateName>${address}</LegalEntity>`
  const taxes = (base: number, quota: number): string =>
    '<TaxesOutputs><Tax><TaxTypeCode>01</TaxTypeCode><TaxRate>21.00</TaxRate>' +
    `<TaxableBase>${amount(base)}</TaxableBase><TaxAmount>${amount(quota)}</TaxAmount></Tax></TaxesOutputs>`
  const line = (i: number): string =>
    `<InvoiceLine><ReceiverContractReference>EXP-2026-${i}</ReceiverContractReference><FileReference>EXP/2026/42</FileReference>` +
    `<SequenceNumber>${i + 1}</SequenceNumber><ItemDescription>${word(i)} — partida ${i + 1} del contrato menor de servicios` +
    '</ItemDescription><Quantity>1</Quantity><UnitOfMeasure>01</UnitOfMeasure><UnitPriceWithoutTax>125</UnitPriceWithoutTax>' +
    '<TotalCost>125.00</TotalCost><DiscountsAndRebates><Discount><DiscountReason>Descuento comercial</DiscountReason>' +
    '<DiscountRate>20.00</DiscountRate><DiscountAmount>25.00</DiscountAmount></Discount></DiscountsAndRebates>' +
    `<GrossAmount>100.00</GrossAmount>${taxes(10_000, 2_100)}<AdditionalLineItemInformation>${word(i + 1)}` +
    '</AdditionalLineItemInformation></InvoiceLine>'
  const total = amount(net + tax)
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<fe:Facturae xmlns:ds="http://www.w3.org/2000/09/xmldsig#" xmlns:fe="${namespace}">` +
    '<FileHeader><SchemaVersion>3.2.2</SchemaVersion><Modality>I</Modality><InvoiceIssuerType>EM</InvoiceIssuerType>' +
    `<Batch><BatchIdentifier>B12345674${seed}</BatchIdentifier><InvoicesCount>1</InvoicesCount>` +
    `<TotalInvoicesAmount>${total}</TotalInvoicesAmount><TotalOutstandingAmount>${total}</TotalOutstandingAmount>` +
    `<TotalExecutableAmount>${total}</TotalExecutableAmount><InvoiceCurrencyCode>EUR</InvoiceCurrencyCode></Batch></FileHeader>` +
    `<Parties><SellerParty>${party(`EMPRESA ${word(seed)}`, 'B12345674')}</SellerParty>` +
    `<BuyerParty>${party('Ayuntamiento de San Sebastián de los Reyes', 'P2813400E')}</BuyerParty></Parties>` +
    `<Invoices><Invoice><InvoiceHeader><InvoiceNumber>${seed}</InvoiceNumber><InvoiceDocumentType>FC</InvoiceDocumentType>` +
    '<InvoiceClass>OO</InvoiceClass></InvoiceHeader><InvoiceIssueData><IssueDate>2026-06-01</IssueDate>' +
    '<InvoiceCurrencyCode>EUR</InvoiceCurrencyCode><TaxCurrencyCode>EUR</TaxCurrencyCode><LanguageName>es</LanguageName>' +
    `</InvoiceIssueData>${taxes(net, tax)}<InvoiceTotals><TotalGrossAmount>${(net / 100).toFixed(2)}</TotalGrossAmount>` +
    `<TotalGrossAmountBeforeTaxes>${(net / 100).toFixed(2)}</TotalGrossAmountBeforeTaxes>` +
    `<TotalTaxOutputs>${(tax / 100).toFixed(2)}</TotalTaxOutputs><TotalTaxesWithheld>0.00</TotalTaxesWithheld>` +
    ['InvoiceTotal', 'TotalOutstandingAmount', 'TotalExecutableAmount']
      .map((name) => `<${name}>${((net + tax) / 100).toFixed(2)}</${name}>`)
      .join('') +
    `</InvoiceTotals><Items>${Array.from({ length: lines }, (_, i) => line(i)).join('')}</Items></Invoice></Invoices></fe:Facturae>`
  )
}
