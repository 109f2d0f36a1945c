import {
  GraphQLBoolean,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLString,
} from 'graphql'
import { z } from 'zod'

/** The parts of JSON Schema that the operation table uses. */
export interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  additionalProperties?: unknown
  description?: string
}

/** Any JSON value: where a schema has no fixed shape. */
const jsonScalar = new GraphQLScalarType({ name: 'JSON', description: 'Any JSON value' })

export const jsonSchemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as JsonSchema

/** `invoice_date` → `invoiceDate`; names that begin with an underscore lose it. */
export const camel = (name: string): string =>
  name.replace(/^_+/, '').replace(/_+([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase())

const pascal = (name: string): string => {
  const text = camel(name)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export interface TypeMaker {
  output(schema: JsonSchema, name: string): GraphQLOutputType
  input(schema: JsonSchema, name: string): GraphQLInputType
  /** The fields of an object schema as arguments or input fields; undefined where it has none. */
  inputFields(schema: JsonSchema, name: string): GraphQLInputFieldConfigMap
}

/**
 * Makes GraphQL types from the JSON Schemas of the operation table, in camelCase. The same shape under the same name is
 * made once.
 */
export function createTypeMaker(): TypeMaker {
  const outputs = new Map<string, { shape: string; type: GraphQLObjectType }>()
  const inputs = new Map<string, { shape: string; type: GraphQLInputObjectType }>()

  const output = (schema: JsonSchema, name: string): GraphQLOutputType => {
    const { inner, nullable } = split(schema)
    const type = bareOutput(inner, name)
    return nullable ? type : new GraphQLNonNull(type)
  }

  const bareOutput = (schema: JsonSchema, name: string) => {
    if (schema.type === 'array') return new GraphQLList(output(schema.items ?? {}, `${name}Item`))
    if (schema.type !== 'object' || Object.keys(schema.properties ?? {}).length === 0) return scalar(schema)
    const shape = JSON.stringify(schema)
    const key = freeName(outputs, name, shape)
    const known = outputs.get(key)
    if (known !== undefined) return known.type
    const type = new GraphQLObjectType({ name: key, fields: () => outputFields(schema, key) })
    outputs.set(key, { shape, type })
    return type
  }

  const outputFields = (schema: JsonSchema, name: string): GraphQLFieldConfigMap<unknown, unknown> =>
    Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([property, nested]) => [
        camel(property),
        {
          type: present(schema, property, output(nested, name + pascal(property)), optionalOutput),
          resolve: (source: unknown) => Object(source)[property],
          ...(nested.description === undefined ? {} : { description: nested.description }),
        },
      ]),
    )

  const input = (schema: JsonSchema, name: string): GraphQLInputType => {
    const { inner, nullable } = split(schema)
    const type = bareInput(inner, name)
    return nullable ? type : new GraphQLNonNull(type)
  }

  const bareInput = (schema: JsonSchema, name: string) => {
    if (schema.type === 'array') return new GraphQLList(input(schema.items ?? {}, `${name}Item`))
    if (schema.type !== 'object' || Object.keys(schema.properties ?? {}).length === 0) return scalar(schema)
    const shape = JSON.stringify(schema)
    const key = freeName(inputs, name, shape)
    const known = inputs.get(key)
    if (known !== undefined) return known.type
    const type = new GraphQLInputObjectType({ name: key, fields: () => inputFields(schema, key) })
    inputs.set(key, { shape, type })
    return type
  }

  const inputFields = (schema: JsonSchema, name: string): GraphQLInputFieldConfigMap =>
    Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([property, nested]) => {
        const type = input(nested, `${name.replace(/Input$/, '')}${pascal(property)}Input`)
        return [
          camel(property),
          {
            type: present(schema, property, type, optionalInput),
            ...(nested.description === undefined ? {} : { description: nested.description }),
          },
        ]
      }),
    )

  return { output, input, inputFields }
}

function freeName(known: Map<string, { shape: string }>, name: string, shape: string): string {
  for (let index = 1; ; index += 1) {
    const candidate = index === 1 ? name : `${name}${index}`
    const taken = known.get(candidate)
    if (taken === undefined || taken.shape === shape) return candidate
  }
}

const present = <T>(schema: JsonSchema, property: string, type: T, optional: (type: T) => T): T =>
  schema.required?.includes(property) === true ? type : optional(type)

const optionalOutput = (type: GraphQLOutputType): GraphQLOutputType =>
  type instanceof GraphQLNonNull ? type.ofType : type
const optionalInput = (type: GraphQLInputType): GraphQLInputType =>
  type instanceof GraphQLNonNull ? type.ofType : type

/** `anyOf [x, null]` is x, nullable; any other union has no GraphQL type of its own. */
function split(schema: JsonSchema): { inner: JsonSchema; nullable: boolean } {
  const options = schema.anyOf ?? schema.oneOf
  if (options === undefined) {
    if (!Array.isArray(schema.type)) return { inner: schema, nullable: schema.type === 'null' }
    const types = schema.type.filter((type) => type !== 'null')
    return {
      inner: { ...schema, type: types.length === 1 ? (types[0] ?? 'string') : 'any' },
      nullable: types.length < schema.type.length,
    }
  }
  const real = options.filter((option) => option.type !== 'null')
  const nullable = real.length < options.length
  const [only] = real
  if (real.length === 1 && only !== undefined) return { inner: only, nullable }
  const sameType = only !== undefined && real.every((option) => option.type === only.type && option.type !== 'object')
  return { inner: sameType ? { type: only.type ?? 'any' } : {}, nullable }
}

function scalar(schema: JsonSchema): GraphQLScalarType {
  if (schema.type === 'string') return GraphQLString
  if (schema.type === 'integer') return GraphQLInt
  if (schema.type === 'number') return GraphQLFloat
  if (schema.type === 'boolean') return GraphQLBoolean
  return jsonScalar
}

/** Arguments in camelCase back into the names of the table, at every depth of an object schema. */
export function toTableNames(value: unknown, schema: JsonSchema): unknown {
  const { inner } = split(schema)
  if (Array.isArray(value)) return value.map((item) => toTableNames(item, inner.items ?? {}))
  if (value === null || typeof value !== 'object' || inner.properties === undefined) return value
  const names = new Map(Object.keys(inner.properties).map((name) => [camel(name), name]))
  return Object.fromEntries(
    Object.entries(value).map(([name, nested]) => {
      const tableName = names.get(name) ?? name
      return [tableName, toTableNames(nested, inner.properties?.[tableName] ?? {})]
    }),
  )
}
