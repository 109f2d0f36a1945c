import { extraction } from '@asiento/proto/schemas/extraction-result'
import { describe, expect, it } from 'vitest'
import { parseInvoiceXml } from '../../src/intake/parse-invoice-xml.ts'

const parse = (xml: string) => parseInvoiceXml(Buffer.from(xml))

const party = (taxId: string, name: string): string => `
  <TaxIdentification><PersonTypeCode>J</PersonTypeCode><ResidenceTypeCode>R</ResidenceTypeCode><TaxIdentificationNumber>${taxId}</TaxIdentificationNumber></TaxIdentification>
  <LegalEntity><CorporateName>${name}</CorporateName>
    <AddressInSpain><Address>C/ Falsa, 123</Address><PostCode>28001</PostCode><Town>Madrid</Town><Province>Madrid</Province><CountryCode>ESP</CountryCode></AddressInSpain>
  </LegalEntity>`

const facturae = `<?xml version="1.0" encoding="UTF-8"?>
<fe:Facturae xmlns:fe="http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml">
  <Parties><SellerParty>${party('ESB12345674', 'Suministros &amp; Axioma SL')}</SellerParty><BuyerParty>${party('P2813400E', 'Ayuntamiento')}</BuyerParty></Parties>
  <Invoices><Invoice>
    <InvoiceHeader><InvoiceNumber>0042</InvoiceNumber><InvoiceSeriesCode>A26</InvoiceSeriesCode><InvoiceDocumentType>FC</InvoiceDocumentType><InvoiceClass>OO</InvoiceClass></InvoiceHeader>
    <InvoiceIssueData><IssueDate>2026-03-14</IssueDate><InvoiceCurrencyCode>EUR</InvoiceCurrencyCode><LanguageName>es</LanguageName></InvoiceIssueData>
    <TaxesOutputs>
      <Tax><TaxTypeCode>01</TaxTypeCode><TaxRate>21.00</TaxRate><TaxableBase><TotalAmount>100.00</TotalAmount></TaxableBase><TaxAmount><TotalAmount>21.00</TotalAmount></TaxAmount>
        <EquivalenceSurcharge>5.20</EquivalenceSurcharge><EquivalenceSurchargeAmount><TotalAmount>5.20</TotalAmount></EquivalenceSurchargeAmount></Tax>
    </TaxesOutputs>
    <TaxesWithheld><Tax><TaxTypeCode>04</TaxTypeCode><TaxRate>15.00</TaxRate></Tax></TaxesWithheld>
    <InvoiceTotals><TotalGrossAmount>100.00</TotalGrossAmount><TotalGrossAmountBeforeTaxes>100.00</TotalGrossAmountBeforeTaxes><TotalTaxOutputs>26.20</TotalTaxOutputs><TotalTaxesWithheld>15.00</TotalTaxesWithheld><InvoiceTotal>111.20</InvoiceTotal></InvoiceTotals>
    <Items><InvoiceLine><ItemDescription>Revisión eléctrica</ItemDescription><Quantity>2.5</Quantity><UnitPriceWithoutTax>40.00</UnitPriceWithoutTax><TotalCost>100.00</TotalCost><GrossAmount>100.00</GrossAmount>
      <TaxesOutputs><Tax><TaxTypeCode>01</TaxTypeCode><TaxRate>21.00</TaxRate></Tax></TaxesOutputs></InvoiceLine></Items>
    <PaymentDetails><Installment><InstallmentDueDate>2026-04-13</InstallmentDueDate><InstallmentAmount>111.20</InstallmentAmount><PaymentMeans>04</PaymentMeans><AccountToBeCredited><IBAN>ES91 2100 0418 4502 0005 1332</IBAN></AccountToBeCredited></Installment></PaymentDetails>
  </Invoice></Invoices>
</fe:Facturae>`

const ublParty = (taxId: string, name: string): string =>
  `<cac:Party><cac:PostalAddress><cbc:StreetName>Rambla 7</cbc:StreetName><cbc:CityName>Barcelona</cbc:CityName><cbc:PostalZone>08002</cbc:PostalZone><cac:Country><cbc:IdentificationCode>ES</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>${taxId}</cbc:CompanyID></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>${name}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party>`

const ubl = (
  root: 'Invoice' | 'CreditNote',
): string => `<${root} xmlns="urn:oasis:names:specification:ubl:schema:xsd:${root}-2" xmlns:cac="urn:cac" xmlns:cbc="urn:cbc">
  <cbc:ID>INV-7</cbc:ID><cbc:IssueDate>2026-02-01</cbc:IssueDate><cbc:DueDate>2026-03-03</cbc:DueDate><cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
  <cac:AccountingSupplierParty>${ublParty('ESB12345674', 'Axioma SL')}</cac:AccountingSupplierParty><cac:AccountingCustomerParty>${ublParty('ESA58818501', 'Client SA')}</cac:AccountingCustomerParty>
  <cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode><cac:PayeeFinancialAccount><cbc:ID>ES9121000418450200051332</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>
  <cac:TaxTotal><cbc:TaxAmount currencyID="EUR">10.00</cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxableAmount>100.00</cbc:TaxableAmount><cbc:TaxAmount>10.00</cbc:TaxAmount><cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>10</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal></cac:TaxTotal>
  <cac:LegalMonetaryTotal><cbc:LineExtensionAmount>100.00</cbc:LineExtensionAmount><cbc:TaxExclusiveAmount>100.00</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount>110.00</cbc:TaxInclusiveAmount><cbc:PayableAmount>110.00</cbc:PayableAmount></cac:LegalMonetaryTotal>
  <cac:${root}Line><cbc:${root === 'Invoice' ? 'Invoiced' : 'Credited'}Quantity>4</cbc:${root === 'Invoice' ? 'Invoiced' : 'Credited'}Quantity><cbc:LineExtensionAmount>100.00</cbc:LineExtensionAmount><cac:Item><cbc:Name>Servei</cbc:Name><cac:ClassifiedTaxCategory><cbc:Percent>10</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item><cac:Price><cbc:PriceAmount>50</cbc:PriceAmount><cbc:BaseQuantity>2</cbc:BaseQuantity></cac:Price></cac:${root}Line>
</${root}>`

const cii = (
  typeCode: string,
): string => `<rsm:CrossIndustryInvoice xmlns:rsm="urn:rsm" xmlns:ram="urn:ram" xmlns:udt="urn:udt">
  <rsm:ExchangedDocument><ram:ID>FX-1</ram:ID><ram:TypeCode>${typeCode}</ram:TypeCode><ram:IssueDateTime><udt:DateTimeString format="102">20260114</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
  <rsm:SupplyChainTradeTransaction>
    <ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedTradeProduct><ram:Name>Item</ram:Name></ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>12.3456</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement><ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">10</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery><ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:RateApplicablePercent>7</ram:RateApplicablePercent></ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>123.46</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>
    <ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>Vendedor SL</ram:Name><ram:PostalTradeAddress><ram:PostcodeCode>35001</ram:PostcodeCode><ram:LineOne>Calle 1</ram:LineOne><ram:CityName>Las Palmas</ram:CityName><ram:CountryID>ES</ram:CountryID></ram:PostalTradeAddress><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">ESB12345674</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTradeParty><ram:BuyerTradeParty><ram:Name>Käufer GmbH</ram:Name><ram:PostalTradeAddress><ram:CountryID>DE</ram:CountryID></ram:PostalTradeAddress><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE123456789</ram:ID></ram:SpecifiedTaxRegistration></ram:BuyerTradeParty></ram:ApplicableHeaderTradeAgreement>
    <ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode><ram:ApplicableTradeTax><ram:CalculatedAmount>8.64</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode><ram:BasisAmount>123.46</ram:BasisAmount><ram:CategoryCode>L</ram:CategoryCode><ram:RateApplicablePercent>7</ram:RateApplicablePercent></ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:LineTotalAmount>123.46</ram:LineTotalAmount><ram:TaxBasisTotalAmount>123.46</ram:TaxBasisTotalAmount><ram:TaxTotalAmount>8.64</ram:TaxTotalAmount><ram:GrandTotalAmount>132.10</ram:GrandTotalAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>
  </rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`

describe('reading XML invoices', () => {
  it('reads a Facturae with surcharge, withholding and payment', () => {
    const result = parse(facturae)
    expect(() => extraction.parse(result)).not.toThrow()
    expect(result).toMatchObject({
      vendor_name: 'Suministros & Axioma SL',
      vendor_vat: 'B12345674',
      vendor_address: 'C/ Falsa, 123',
      vendor_country: 'ESP',
      buyer_vat: 'P2813400E',
      invoice_number: 'A26-0042',
      invoice_date: '2026-03-14',
      due_date: '2026-04-13',
      subtotal: 100,
      tax: 26.2,
      total: 111.2,
      irpf_rate: 15,
      irpf_amount: -15,
      iban: 'ES9121000418450200051332',
      payment_method: 'transferencia',
      declared_tax_rate: 21,
      document_type: 'invoice',
      confidence_score: 1,
      warnings: [],
    })
    expect(result.tax_breakdown).toEqual([
      { tax_type: 'IVA', rate: 21, base: 100, amount: 21 },
      { tax_type: 'RE', rate: 5.2, base: 100, amount: 5.2 },
    ])
    expect(result.line_items).toEqual([
      { description: 'Revisión eléctrica', quantity: 2.5, unit_price: 40, tax_rate: 21, total: 100 },
    ])
  })

  it('reads a UBL invoice, its price per two pieces', () => {
    expect(parse(ubl('Invoice'))).toMatchObject({
      vendor_name: 'Axioma SL',
      vendor_vat: 'B12345674',
      buyer_city: 'Barcelona',
      total: 110,
      payment_method: 'transferencia',
      line_items: [{ description: 'Servei', quantity: 4, unit_price: 25, tax_rate: 10, total: 100 }],
      confidence_score: 1,
    })
  })

  it('reads a UBL credit note as negative amounts', () => {
    expect(parse(ubl('CreditNote'))).toMatchObject({
      document_type: 'corrective',
      subtotal: -100,
      tax: -10,
      total: -110,
      line_items: [{ quantity: -4, total: -100 }],
    })
  })

  it('reads a CII invoice with IGIC and a foreign buyer', () => {
    expect(parse(cii('380'))).toMatchObject({
      invoice_number: 'FX-1',
      invoice_date: '2026-01-14',
      buyer_vat: 'DE123456789',
      tax_breakdown: [{ tax_type: 'IGIC', rate: 7, base: 123.46, amount: 8.64 }],
      line_items: [{ unit_price: 12.3456, quantity: 10, total: 123.46 }],
      warnings: [],
    })
    expect(parse(cii('381'))).toMatchObject({ document_type: 'corrective', total: -132.1 })
  })

  it('warns of sums that do not hold, with their residue', () => {
    const result = parse(facturae.replace('<InvoiceTotal>111.20', '<InvoiceTotal>111.30'))
    expect(result.warnings).toEqual([
      expect.objectContaining({ code: 'amounts_mismatch', field: 'total', residue_cents: 10 }),
    ])
    expect(result.confidence_score).toBeLessThan(0.9)
  })

  it('says what is missing and trusts the rest less', () => {
    const result = parse(
      facturae.replace(/<IssueDate>.*?<\/IssueDate>/, '').replace(/<InvoiceTotals>.*?<\/InvoiceTotals>/, ''),
    )
    expect(result.warnings.filter(({ code }) => code === 'missing_field').map(({ field }) => field)).toEqual([
      'invoice_date',
      'subtotal',
      'tax',
      'total',
    ])
    expect(result.confidence_score).toBeLessThan(0.7)
  })

  it.each([
    ['text', 'Factura 1'],
    ['an empty file', ''],
    ['XML that is no invoice', '<html/>'],
    ['an unfinished element', '<Invoice><ID>1</ID>'],
    ['a DOCTYPE', '<!DOCTYPE Invoice [<!ENTITY a "b">]><Invoice>&a;</Invoice>'],
    ['a Facturae without an invoice', '<Facturae/>'],
    ['an amount that is no number', facturae.replace('<InvoiceTotal>111.20', '<InvoiceTotal>many')],
    ['elements without end', '<a>'.repeat(5_000)],
  ])('refuses %s', (_name, xml) => {
    expect(() => parse(xml)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
  })

  it('refuses a DOCTYPE in another encoding, and files over 10 MB', () => {
    const hidden = Buffer.from('\ufeff<!DOCTYPE Invoice [<!ENTITY a "b">]><Invoice>&a;</Invoice>', 'utf16le')
    expect(() => parseInvoiceXml(hidden)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }))
    expect(() => parseInvoiceXml(Buffer.alloc(10 * 1024 * 1024 + 1, 32))).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    )
  })
})
