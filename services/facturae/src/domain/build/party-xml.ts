import { element, given, optional, wrap, wrapOptional } from '../canonical/text.ts'
import {
  type Address,
  type AdministrativeCentre,
  type Contact,
  isLegalName,
  type LegalName,
  type Party,
  type TaxIdentification,
} from '../model/invoice.ts'

/** BusinessType: a seller or buyer, in the order of the schema. */
export const businessXml = (name: 'SellerParty' | 'BuyerParty', party: Party): string =>
  wrap(
    name,
    wrap('TaxIdentification', taxIdentificationXml(party)) +
      optional('PartyIdentification', party.identification) +
      wrapOptional('AdministrativeCentres', party.centres.map(centreXml).join('')) +
      namedXml(party),
  )

/** ThirdPartyType: neither identification nor centres. */
export const thirdPartyXml = (party: Party): string =>
  wrap('ThirdParty', wrap('TaxIdentification', taxIdentificationXml(party)) + namedXml(party))

export const taxIdentificationXml = (id: TaxIdentification): string =>
  element('PersonTypeCode', id.personType) +
  element('ResidenceTypeCode', id.residence) +
  element('TaxIdentificationNumber', id.taxId)

function namedXml({ name, address, contact }: Party): string {
  const place = addressXml(address) + given(contact, contactXml)
  if (isLegalName(name)) {
    return wrap(
      'LegalEntity',
      element('CorporateName', name.corporateName) +
        optional('TradeName', name.tradeName) +
        given(name.registration, registrationXml) +
        place,
    )
  }
  return wrap(
    'Individual',
    element('Name', name.name) +
      element('FirstSurname', name.firstSurname) +
      optional('SecondSurname', name.secondSurname) +
      place,
  )
}

const registrationXml = (data: NonNullable<LegalName['registration']>): string =>
  wrap(
    'RegistrationData',
    optional('Book', data.book) +
      optional('RegisterOfCompaniesLocation', data.location) +
      optional('Sheet', data.sheet) +
      optional('Folio', data.folio) +
      optional('Section', data.section) +
      optional('Volume', data.volume) +
      optional('AdditionalRegistrationData', data.additional),
  )

function addressXml(address: Address): string {
  if (address.country === 'ESP') {
    return wrap(
      'AddressInSpain',
      element('Address', address.street) +
        element('PostCode', address.postCode) +
        element('Town', address.town) +
        element('Province', address.province) +
        element('CountryCode', 'ESP'),
    )
  }
  return wrap(
    'OverseasAddress',
    element('Address', address.street) +
      element('PostCodeAndTown', postCodeAndTown(address)) +
      element('Province', address.province) +
      element('CountryCode', address.country),
  )
}

/** Abroad the format has one field for both, of at most 50 characters. */
export const postCodeAndTown = ({ postCode, town }: Pick<Address, 'postCode' | 'town'>): string =>
  [...[postCode, town].filter((part) => part !== '').join(' ')].slice(0, 50).join('')

const contactXml = (contact: Contact): string =>
  wrapOptional(
    'ContactDetails',
    optional('Telephone', contact.telephone) +
      optional('TeleFax', contact.fax) +
      optional('WebAddress', contact.web) +
      optional('ElectronicMail', contact.email) +
      optional('ContactPersons', contact.persons) +
      optional('CnoCnae', contact.cnae) +
      optional('INETownCode', contact.ineTownCode) +
      optional('AdditionalContactDetails', contact.additional),
  )

const centreXml = (centre: AdministrativeCentre): string =>
  wrap(
    'AdministrativeCentre',
    optional('CentreCode', centre.code) +
      optional('RoleTypeCode', centre.role) +
      optional('Name', centre.name) +
      optional('FirstSurname', centre.firstSurname) +
      optional('SecondSurname', centre.secondSurname) +
      addressXml(centre.address) +
      given(centre.contact, contactXml) +
      optional('PhysicalGLN', centre.gln) +
      optional('LogicalOperationalPoint', centre.logicalPoint) +
      optional('CentreDescription', centre.description),
  )
