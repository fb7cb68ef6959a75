/** Reference pages made of the two API descriptions: one page a group of calls. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

interface Schema {
  $ref?: string
  type?: string
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
}

interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}

type Contents = Record<string, { schema?: Schema }>

interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { content?: Contents; description?: string }
  responses?: Record<string, { $ref?: string; description?: string; content?: Contents }>
}

interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

interface Call {
  method: string
  path: string
  operation: Operation
}

const FILES = { platform: 'openapi.json', predictions: 'prediction-openapi.json' }

/** Groups of calls of the platform, in the order of a project's life; others follow by name. */
const ORDER = ['projects', 'datasets', 'formats', 'labeling', 'quality', 'versions', 'studies', 'jobs', 'registry']

function read(name: keyof typeof FILES): Description {
  return JSON.parse(readFileSync(resolve(import.meta.dirname, '..', FILES[name]), 'utf-8')) as Description
}

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)
const cell = (text: string) => plain(text).replaceAll('|', '\\|').replaceAll('\n', ' ')
/** A pipe ends a cell in code too. */
const code = (text: string) => (text === '' ? '' : `\`${text.replaceAll('|', '\\|')}\``)
/** Braces outside code would be read as attributes, angles as elements. */
const plain = (text: string) =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll(/[{}<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)))
    .join('')

function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return ''
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (choices !== undefined) return choices.map(typeOf).join(' | ')
  if (schema.type === 'array') return `${typeOf(schema.items) || 'any'}[]`
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') {
    return `{name: ${typeOf(schema.additionalProperties) || 'any'}}`
  }
  return schema.format === 'binary' ? 'file' : (schema.type ?? 'any')
}

/** Limits and the default, in words. */
function limitsOf(schema: Schema | undefined): string {
  if (schema === undefined) return ''
  const limits = [
    schema.minimum === undefined ? '' : `at least ${schema.minimum}`,
    schema.maximum === undefined ? '' : `at most ${schema.maximum}`,
    schema.maxLength === undefined ? '' : `at most ${schema.maxLength} characters`,
    schema.maxItems === undefined ? '' : `at most ${schema.maxItems}`,
    schema.default === undefined || schema.default === null ? '' : `default \`${JSON.stringify(schema.default)}\``,
  ]
  return limits.filter(Boolean).join(', ')
}

function rowsOf(rows: string[][], heads: string[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)
  return `${lines.join('\n')}\n`
}

function fieldsOf(description: Description, schema: Schema | undefined): string {
  const name = schema?.$ref === undefined ? '' : nameOf(schema.$ref)
  const whole = name === '' ? schema : description.components.schemas[name]
  const properties = Object.entries(whole?.properties ?? {})
  if (properties.length === 0) return ''
  const rows = properties.map(([field, value]) => [
    `\`${field}\`${whole?.required?.includes(field) === true ? '' : ' (optional)'}`,
    code(typeOf(value)),
    cell([value.description ?? '', limitsOf(value)].filter(Boolean).join('; ')),
  ])
  return rowsOf(rows, ['field', 'type', 'meaning'])
}

function sectionOf(description: Description, { method, path, operation }: Call): string {
  const parts = [`## \`${method.toUpperCase()} ${path}\` {#${operation.operationId ?? ''}}\n`]
  parts.push(`${plain((operation.description ?? operation.summary ?? '').replaceAll('``', '`'))}\n`)
  const parameters = operation.parameters ?? []
  if (parameters.length > 0) {
    const rows = parameters.map((each) => [
      `\`${each.name}\`${each.required === true ? '' : ' (optional)'}`,
      each.in,
      code(typeOf(each.schema)),
      cell([each.description ?? '', limitsOf(each.schema)].filter(Boolean).join('; ')),
    ])
    parts.push(rowsOf(rows, ['parameter', 'in', 'type', 'meaning']))
  }
  for (const [kind, content] of Object.entries(operation.requestBody?.content ?? {})) {
    parts.push(`**Body**, \`${kind}\`: ${code(typeOf(content.schema))}\n`, fieldsOf(description, content.schema))
  }
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    if (!status.startsWith('2')) continue
    const contents = Object.entries(response.content ?? {})
    if (contents.length === 0) parts.push(`**Response ${status}**: ${plain(response.description ?? '')}\n`)
    for (const [kind, content] of contents) {
      parts.push(`**Response ${status}**, \`${kind}\`: ${code(typeOf(content.schema))}\n`, fieldsOf(description, content.schema))
    }
  }
  const refusals = Object.keys(operation.responses ?? {}).filter((status) => !status.startsWith('2'))
  if (refusals.length > 0) parts.push(`Errors: ${refusals.join(', ')}\n`)
  return parts.join('\n')
}

function callsOf(description: Description): Call[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
}

/** Groups of the platform's calls. */
export function groups(): string[] {
  const found = new Set(callsOf(read('platform')).map(({ operation }) => operation.tags?.[0] ?? 'other'))
  return [...ORDER.filter((name) => found.has(name)), ...[...found].filter((name) => !ORDER.includes(name)).sort()]
}

const titleOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

function pageOf(title: string, lead: string, description: Description, calls: Call[]): string {
  return [`---\noutline: 2\n---\n# ${title}\n`, `${lead}\n`, ...calls.map((call) => sectionOf(description, call))].join('\n')
}

export const referencePages = {
  paths(): { params: { page: string }; content: string }[] {
    const platform = read('platform')
    const predictions = read('predictions')
    const pages = groups().map((group) => ({
      params: { page: group },
      content: pageOf(
        `Platform API: ${titleOf(group)}`,
        'Send an API key as `Authorization: Bearer KEY`. Errors are problem+json with a stable `code`. Try the calls at `/api/docs`.',
        platform,
        callsOf(platform).filter(({ operation }) => (operation.tags?.[0] ?? 'other') === group),
      ),
    }))
    const served = {
      params: { page: 'prediction-calls' },
      content: pageOf(
        'Prediction API: calls',
        'Of any deployment. With a key, `GET /openapi.json` on the port of the prediction server describes the models that it may call.',
        predictions,
        callsOf(predictions),
      ),
    }
    return [...pages, served]
  },
}
