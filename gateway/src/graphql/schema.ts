import { fail } from '@asiento/proto/errors'
import type { Operation } from '@asiento/proto/operation'
import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql'
import { ledgerFields, mutationFields, queryFields, subscriptionFields } from './fields.ts'
import { camel, createTypeMaker, type JsonSchema, jsonSchemaOf, toTableNames } from './types.ts'

/** What a resolver needs: how to carry out one operation for this request's caller. */
export interface GraphQLContext {
  run(operation: Operation, parts: { params: unknown; query: unknown; body: unknown }): Promise<unknown>
  /** The state of a streaming operation: now, at each change, and when it has ended. */
  watch(operation: Operation, parts: { params: unknown; query: unknown; body: unknown }): AsyncIterable<unknown>
}

type Field = GraphQLFieldConfig<unknown, GraphQLContext>
type Maker = ReturnType<typeof createTypeMaker>

const pageSizeDefault = 50
const emptyObject: JsonSchema = { type: 'object', properties: {} }

/** The GraphQL schema of the operations that work, made from their rows. */
export function createGraphQLSchema(): GraphQLSchema {
  const maker = createTypeMaker()
  const pageInfo = pageInfoType()
  const field = ([name, operation]: [string, Operation]): [string, Field] => [
    name,
    queryField(maker, pageInfo, name, operation),
  ]
  const ledger = new GraphQLObjectType<unknown, GraphQLContext>({
    name: 'Ledger',
    fields: Object.fromEntries(ledgerFields.map(field)),
  })
  const query = new GraphQLObjectType<unknown, GraphQLContext>({
    name: 'Query',
    fields: {
      ...Object.fromEntries(queryFields.map(field)),
      ...(ledgerFields.length === 0 ? {} : { ledger: { type: new GraphQLNonNull(ledger), resolve: () => ({}) } }),
    },
  })
  const mutations: GraphQLFieldConfigMap<unknown, GraphQLContext> = Object.fromEntries(
    mutationFields.map(([name, operation]) => [name, mutationField(maker, name, operation)]),
  )
  const mutation = new GraphQLObjectType<unknown, GraphQLContext>({ name: 'Mutation', fields: mutations })
  const subscription = new GraphQLObjectType<unknown, GraphQLContext>({
    name: 'Subscription',
    fields: Object.fromEntries(subscriptionFields.map(([name, row]) => [name, subscriptionField(maker, name, row)])),
  })
  return new GraphQLSchema({ query, mutation, subscription })
}

const schemaOr = (operation: Operation, part: 'params' | 'query'): JsonSchema => {
  const schema = operation[part]
  return schema === undefined ? emptyObject : jsonSchemaOf(schema, 'input')
}

const responseSchema = ({ response }: Operation): JsonSchema =>
  'schema' in response ? jsonSchemaOf(response.schema, 'output') : emptyObject

function queryField(maker: Maker, pageInfo: GraphQLObjectType, name: string, operation: Operation): Field {
  const params = schemaOr(operation, 'params')
  const query = without(schemaOr(operation, 'query'), ['format'])
  const response = responseSchema(operation)
  const typeName = camel(name).replace(/^./, (letter) => letter.toUpperCase())
  const list = listOf(response)
  if (list !== undefined) return connectionField(maker, pageInfo, typeName, operation, { params, query, ...list })
  const args = {
    ...maker.inputFields(params, typeName),
    ...maker.inputFields(query, typeName),
  } as GraphQLFieldConfigArgumentMap
  return {
    type: nullable(maker.output(response, typeName)),
    description: operation.summary,
    args,
    resolve: (_source, given, context) =>
      context.run(operation, { params: pick(given, params), query: pick(given, query), body: undefined }),
  }
}

interface ListShape {
  /** The property that holds the rows. */
  property: string
  item: JsonSchema
  /** What the list tells beside its rows, for example sums. */
  extras: Record<string, JsonSchema>
}

const paging = new Set(['total', 'limit', 'offset', 'has_more', 'filters'])

/** An answer that is a list: `{ items, total, … }`, or one array under its own name. */
function listOf(response: JsonSchema): ListShape | undefined {
  const properties = Object.entries(response.properties ?? {})
  const isOf = ([name]: [string, JsonSchema]) =>
    name === 'items' ? response.properties?.total !== undefined && onlyPages(properties) : properties.length === 1
  const arrays = properties.filter((entry) => entry[1].type === 'array' && isOf(entry))
  const [property, schema] = arrays[0] ?? []
  if (property === undefined || schema === undefined) return undefined
  const others = properties.filter(([name]) => name !== property && !paging.has(name))
  return { property, item: schema.items ?? {}, extras: Object.fromEntries(others) }
}

/** A job has items and a total too, but is more than a list of them. */
const onlyPages = (properties: [string, JsonSchema][]): boolean =>
  properties.some(([name]) => name === 'has_more') || properties.every(([name]) => name === 'items' || paging.has(name))

function connectionField(
  maker: Maker,
  pageInfo: GraphQLObjectType,
  typeName: string,
  operation: Operation,
  schemas: { params: JsonSchema; query: JsonSchema } & ListShape,
): Field {
  const filter = without(schemas.query, ['limit', 'offset'])
  const filterFields = maker.inputFields(filter, `${typeName}Filter`)
  const pages = schemas.query.properties?.limit !== undefined
  const node = maker.output(schemas.item, `${typeName}Node`)
  const extras = maker.output({ type: 'object', properties: schemas.extras, required: [] }, `${typeName}Extras`)
  const extraFields =
    extras instanceof GraphQLNonNull && extras.ofType instanceof GraphQLObjectType
      ? extras.ofType.toConfig().fields
      : {}
  const connection = new GraphQLObjectType<{ nodes: unknown[] }>({
    name: `${typeName}Connection`,
    fields: {
      nodes: { type: new GraphQLNonNull(new GraphQLList(node)) },
      totalCount: { type: new GraphQLNonNull(GraphQLInt) },
      pageInfo: { type: new GraphQLNonNull(pageInfo) },
      ...extraFields,
    },
  })
  const args: GraphQLFieldConfigArgumentMap = {
    ...(maker.inputFields(schemas.params, typeName) as GraphQLFieldConfigArgumentMap),
    first: { type: GraphQLInt, defaultValue: pageSizeDefault },
    after: { type: GraphQLString },
    ...(Object.keys(filterFields).length === 0
      ? {}
      : { filter: { type: new GraphQLInputObjectType({ name: `${typeName}Filter`, fields: filterFields }) } }),
  }
  return {
    type: connection,
    description: operation.summary,
    args,
    resolve: async (_source, given, context) => {
      const offset = offsetOf(given.after)
      const page = pages ? { limit: given.first, offset } : {}
      const query = { ...Object(toTableNames(given.filter ?? {}, filter)), ...page }
      const answer = Object(
        await context.run(operation, { params: pick(given, schemas.params), query, body: undefined }),
      )
      const rows: unknown[] = answer[schemas.property] ?? []
      const nodes = pages ? rows : rows.slice(offset, offset + given.first)
      const totalCount = pages ? answer.total : rows.length
      return {
        ...answer,
        nodes,
        totalCount,
        pageInfo: {
          hasNextPage: offset + nodes.length < totalCount,
          hasPreviousPage: offset > 0,
          startCursor: nodes.length === 0 ? null : cursor(offset),
          endCursor: nodes.length === 0 ? null : cursor(offset + nodes.length),
        },
      }
    },
  }
}

function mutationField(maker: Maker, name: string, operation: Operation): Field {
  const params = schemaOr(operation, 'params')
  const rule = operation.body
  const body =
    rule?.kind === 'json' || rule?.kind === 'json_or_files' ? jsonSchemaOf(rule.schema, 'input') : emptyObject
  const typeName = name.replace(/^./, (letter) => letter.toUpperCase())
  const fields = { ...maker.inputFields(params, typeName), ...maker.inputFields(body, typeName) }
  const hasInput = Object.keys(fields).length > 0
  const input = hasInput ? new GraphQLInputObjectType({ name: `${typeName}Input`, fields }) : undefined
  return {
    type:
      operation.response.kind === 'empty'
        ? GraphQLBoolean
        : nullable(maker.output(responseSchema(operation), `${typeName}Payload`)),
    description: operation.summary,
    args: input === undefined ? {} : { input: { type: new GraphQLNonNull(input) } },
    resolve: async (_source, given, context) => {
      const value = Object(given.input ?? {})
      const parts = { params: pick(value, params), query: {}, body: toTableNames(only(value, body), body) }
      const result = await context.run(operation, operation.body === undefined ? { ...parts, body: undefined } : parts)
      return operation.response.kind === 'empty' ? true : result
    },
  }
}

function subscriptionField(maker: Maker, name: string, operation: Operation): Field {
  const params = schemaOr(operation, 'params')
  return {
    type: maker.output(
      responseSchema(operation),
      name.replace(/^./, (letter) => letter.toUpperCase()),
    ),
    description: operation.summary,
    args: maker.inputFields(params, name) as GraphQLFieldConfigArgumentMap,
    subscribe: (_source, given, context) =>
      context.watch(operation, { params: pick(given, params), query: {}, body: undefined }),
    resolve: (state) => state,
  }
}

const nullable = (type: GraphQLOutputType): GraphQLOutputType => (type instanceof GraphQLNonNull ? type.ofType : type)

const pick = (given: Record<string, unknown>, schema: JsonSchema) => toTableNames(only(given, schema), schema)

/** The arguments that a schema knows, still in camelCase. */
function only(given: Record<string, unknown>, schema: JsonSchema): Record<string, unknown> {
  const names = new Set(Object.keys(schema.properties ?? {}).map(camel))
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => names.has(name) && value !== undefined))
}

function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name))
  return { ...schema, properties: Object.fromEntries(properties) }
}

const cursor = (offset: number): string => Buffer.from(`offset:${offset}`).toString('base64url')

function offsetOf(after: unknown): number {
  if (typeof after !== 'string') return 0
  const match = /^offset:(\d+)$/.exec(Buffer.from(after, 'base64url').toString())
  return match === null ? fail('INVALID_INPUT', { detail: 'after is no cursor of this list.' }) : Number(match[1])
}

const pageInfoType = () =>
  new GraphQLObjectType({
    name: 'PageInfo',
    fields: {
      hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean) },
      hasPreviousPage: { type: new GraphQLNonNull(GraphQLBoolean) },
      startCursor: { type: GraphQLString },
      endCursor: { type: GraphQLString },
    },
  })
