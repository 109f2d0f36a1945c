import type {
  Address,
  AdministrativeCentre,
  Contact,
  LegalName,
  Party,
  PersonName,
  Registration,
  TaxIdentification,
} from '../model/invoice.ts'
import { child, children, textOf, type XmlTree } from './tree.ts'

/** A member only where the element is there. */
export const given = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }

const text = (node: XmlTree | undefined, name: string): string => textOf(node, name) ?? ''

/** Reads BusinessType and ThirdPartyType. */
export const readParty = (node: XmlTree | undefined): Party => {
  const legal = child(node, 'LegalEntity')
  const holder = legal ?? child(node, 'Individual')
  const contact = readContact(child(holder, 'ContactDetails'))
  return {
    ...readTaxIdentification(child(node, 'TaxIdentification')),
    ...given('identification', textOf(node, 'PartyIdentification')),
    centres: children(child(node, 'AdministrativeCentres'), 'AdministrativeCentre').map(readCentre),
    name: legal === undefined ? readPerson(holder) : readLegal(legal),
    address: readAddress(holder),
    ...given('contact', contact),
  }
}

export const readTaxIdentification = (node: XmlTree | undefined): TaxIdentification => ({
  personType: textOf(node, 'PersonTypeCode') === 'F' ? 'F' : 'J',
  residence: residenceOf(textOf(node, 'ResidenceTypeCode')),
  taxId: text(node, 'TaxIdentificationNumber'),
})

const residenceOf = (code: string | undefined): 'R' | 'U' | 'E' => (code === 'U' || code === 'E' ? code : 'R')

const readLegal = (node: XmlTree): LegalName => ({
  corporateName: text(node, 'CorporateName'),
  ...given('tradeName', textOf(node, 'TradeName')),
  ...given('registration', readRegistration(child(node, 'RegistrationData'))),
})

const readRegistration = (node: XmlTree | undefined): Registration | undefined =>
  node === undefined
    ? undefined
    : {
        ...given('book', textOf(node, 'Book')),
        ...given('location', textOf(node, 'RegisterOfCompaniesLocation')),
        ...given('sheet', textOf(node, 'Sheet')),
        ...given('folio', textOf(node, 'Folio')),
        ...given('section', textOf(node, 'Section')),
        ...given('volume', textOf(node, 'Volume')),
        ...given('additional', textOf(node, 'AdditionalRegistrationData')),
      }

const readPerson = (node: XmlTree | undefined): PersonName => ({
  name: text(node, 'Name'),
  firstSurname: text(node, 'FirstSurname'),
  ...given('secondSurname', textOf(node, 'SecondSurname')),
})

/** Abroad postal code and town are one field, which is read as the town. */
function readAddress(holder: XmlTree | undefined): Address {
  const spanish = child(holder, 'AddressInSpain')
  if (spanish !== undefined) {
    return {
      street: text(spanish, 'Address'),
      postCode: text(spanish, 'PostCode'),
      town: text(spanish, 'Town'),
      province: text(spanish, 'Province'),
      country: 'ESP',
    }
  }
  const abroad = child(holder, 'OverseasAddress')
  return {
    street: text(abroad, 'Address'),
    postCode: '',
    town: text(abroad, 'PostCodeAndTown'),
    province: text(abroad, 'Province'),
    country: text(abroad, 'CountryCode'),
  }
}

const readContact = (node: XmlTree | undefined): Contact | undefined =>
  node === undefined
    ? undefined
    : {
        ...given('telephone', textOf(node, 'Telephone')),
        ...given('fax', textOf(node, 'TeleFax')),
        ...given('web', textOf(node, 'WebAddress')),
        ...given('email', textOf(node, 'ElectronicMail')),
        ...given('persons', textOf(node, 'ContactPersons')),
        ...given('cnae', textOf(node, 'CnoCnae')),
        ...given('ineTownCode', textOf(node, 'INETownCode')),
        ...given('additional', textOf(node, 'AdditionalContactDetails')),
      }

const readCentre = (node: XmlTree): AdministrativeCentre => ({
  ...given('code', textOf(node, 'CentreCode')),
  ...given('role', textOf(node, 'RoleTypeCode')),
  ...given('name', textOf(node, 'Name')),
  ...given('firstSurname', textOf(node, 'FirstSurname')),
  ...given('secondSurname', textOf(node, 'SecondSurname')),
  address: readAddress(node),
  ...given('contact', readContact(child(node, 'ContactDetails'))),
  ...given('gln', textOf(node, 'PhysicalGLN')),
  ...given('logicalPoint', textOf(node, 'LogicalOperationalPoint')),
  ...given('description', textOf(node, 'CentreDescription')),
})
