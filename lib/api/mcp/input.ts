import { z } from 'zod'
import { errorMessage } from '../../i18n/error-message'
import type { AnyInput } from '../http/client'
import type { AnyOperation } from '../http/operation'
import { type FieldProblem, fieldProblem, requireNone } from '../http/problem'
import { toSchema } from '../openapi/openapi'

/**
 * The arguments of a tool are one flat object: path parameters, query and body of its operation.
 * The schema tells agents what to send; the operation's own schemas check it, so that a tool and
 * the API refuse the same with the same words.
 */

export type Arguments = Readonly<Record<string, unknown>>

type JsonSchema = {
  type: 'object'
  properties: Record<string, unknown>
  required: string[]
  additionalProperties: false
  $defs?: Record<string, unknown>
}

const VERSION = 'version'
const WHOLE_BODY = 'body'

export function inputSchema(operation: AnyOperation): JsonSchema {
  const { query, body } = operation
  const parts = [
    ...(query ? [partOf(query)] : []),
    ...(body instanceof z.ZodObject ? [partOf(body)] : []),
  ]
  const $defs = Object.assign({}, ...parts.map((part) => part.$defs))
  const names = paramNames(operation)
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string', minLength: 1 }])),
      ...Object.assign({}, ...parts.map(({ properties }) => properties)),
      ...(isWhole(operation) && body && { [WHOLE_BODY]: toSchema(body, 'input') }),
      ...(operation.versioned && {
        [VERSION]: { type: 'string', description: 'The version that the read before returned' },
      }),
    },
    required: [
      ...names,
      ...parts.flatMap(({ required }) => required),
      ...(isWhole(operation) ? [WHOLE_BODY] : []),
      ...(operation.versioned === true ? [VERSION] : []),
    ],
    additionalProperties: false,
    ...(Object.keys($defs).length > 0 && { $defs }),
  }
}

/** Every name must have one meaning; a test looks at all tools. */
export function namesIn(operation: AnyOperation): string[] {
  const { query, body } = operation
  return [
    ...paramNames(operation),
    ...Object.keys(query?.shape ?? {}),
    ...(body instanceof z.ZodObject ? Object.keys(body.shape) : []),
    ...(operation.versioned ? [VERSION] : []),
  ]
}

function partOf(schema: z.ZodType) {
  const { properties = {}, required = [], $defs = {} } = toSchema(schema, 'input')
  return {
    properties: properties as Record<string, unknown>,
    required: required as string[],
    $defs: $defs as Record<string, unknown>,
  }
}

function paramNames({ path }: AnyOperation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

function isWhole({ body }: AnyOperation): boolean {
  return body !== undefined && !(body instanceof z.ZodObject)
}

/**
 * What is none of the operation's names is refused: the user who confirms a change reads all
 * arguments, so none may be there that does nothing.
 */
export function toInput(operation: AnyOperation, given: Arguments): AnyInput {
  const params = new Set(paramNames(operation))
  const queries = new Set(Object.keys(operation.query?.shape ?? {}))
  const version = operation.versioned ? given[VERSION] : undefined
  const isTaken = (name: string) =>
    params.has(name) || (name === VERSION && Boolean(operation.versioned))
  const inQuery = ([name]: [string, unknown]) => queries.has(name) || !operation.body
  const others = Object.entries(given).filter(([name]) => !isTaken(name))
  const missing = [...params].filter((name) => typeof given[name] !== 'string')
  requireNone([
    ...missing.map((name) => fieldProblem(`/${name}`, errorMessage('required'))),
    ...others.filter(inQuery).flatMap(notPlain),
    ...others
      .filter(([name]) => !queries.has(name) && !mayBeInBody(operation, name))
      .map(([name]) => fieldProblem(`/${name}`, errorMessage('parameter_unknown'))),
    ...(version === undefined || typeof version === 'string'
      ? []
      : [fieldProblem(`/${VERSION}`, errorMessage('invalid'))]),
  ])
  const body = Object.fromEntries(others.filter((entry) => !inQuery(entry)))
  return {
    params: Object.fromEntries([...params].map((name) => [name, String(given[name])])),
    query: Object.fromEntries(others.filter(inQuery).map(([name, value]) => [name, plain(value)])),
    ...(operation.body && { body: isWhole(operation) ? body[WHOLE_BODY] : body }),
    ...(typeof version === 'string' && version !== '' && { version }),
  }
}

/** The schema of a body refuses the members that it does not have. */
function mayBeInBody(operation: AnyOperation, name: string): boolean {
  return operation.body !== undefined && (!isWhole(operation) || name === WHOLE_BODY)
}

function notPlain([name, value]: [string, unknown]): FieldProblem[] {
  return typeof value === 'object' && value !== null
    ? [fieldProblem(`/query/${name}`, errorMessage('invalid'))]
    : []
}

function plain(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}
