// Files, lines, functions and casts of the product, without tests and generated code.
import { dirname } from 'node:path'
import { nodesOf, parse, sourcesIn } from './graph.mjs'

export const MAX_FUNCTION_LENGTH = 70

export function measure(root) {
  const product = ['lib', 'app'].flatMap((folder) => sourcesIn(root, folder))
  const trees = product.map((path) => parse(root, path))
  const lib = trees.filter(({ path }) => path.startsWith('lib/') && !path.startsWith('lib/i18n/'))
  const lengths = lib.flatMap(functionsOf).map(({ lines }) => lines)
  const prisma = prismaOutsideStore(trees)
  return {
    'product: files, lines': `${trees.length}, ${linesOf(trees)}`,
    'lib without i18n: files, lines': `${lib.length}, ${linesOf(lib)}`,
    'lines of a function, median/p90/p99/max': [0.5, 0.9, 0.99, 1]
      .map((share) => quantile(lengths, share))
      .join(' / '),
    [`functions over ${MAX_FUNCTION_LENGTH} lines`]: listed(tooLong(trees)),
    'any, !': `${count(trees, isAny)}, ${count(trees, isNonNull)}`,
    'casts (as, not as const)': count(trees, isCast),
    'as never': count(trees, isNeverCast),
    'files outside lib/store that import Prisma': prisma.importers.length,
    'Prisma calls outside lib/store': prisma.calls,
  }
}

/** Folders of the product with more than `most` files directly in them. */
export function looseFiles(root, most) {
  const product = ['lib', 'app'].flatMap((folder) => sourcesIn(root, folder))
  const counts = new Map()
  for (const path of product) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts]
    .filter(([, files]) => files > most)
    .sort(([, a], [, b]) => b - a)
    .map(([folder, files]) => `${folder} ${files}`)
}

/** Which files outside lib/store import Prisma, its types included, and how many queries they have. */
export function prismaOutsideStore(trees) {
  const outside = trees.filter(({ path }) => !path.startsWith('lib/store/'))
  const importers = outside.filter(importsPrisma).map(({ path }) => path)
  return { importers, calls: count(outside, isPrismaCall) }
}

/**
 * Files that put statements together from pieces and give a template to Prisma. The pages have a copy
 * of Prisma's runtime of their own, whose pieces the client takes for values: it is given a whole
 * statement, `$queryRaw(sql`...`)`.
 */
export function piecesInTemplates(trees) {
  return trees
    .filter(({ program }) => program.body.some(importsPieces))
    .filter(({ program }) => [...nodesOf(program)].some(isRawTemplate))
    .map(({ path }) => path)
}

export function tooLong(trees) {
  return trees.flatMap(functionsOf).filter(({ lines }) => lines > MAX_FUNCTION_LENGTH)
}

function linesOf(trees) {
  return trees.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
}

/** Every function with its lines; one within another is counted in both. */
function functionsOf({ path, text, program }) {
  return [...nodesOf(program)].filter(isFunction).map(({ id, start, end }) => ({
    at: `${path}:${text.slice(0, start).split('\n').length}`,
    name: id?.name ?? '',
    lines: text.slice(start, end).split('\n').length,
  }))
}

function isFunction({ type, body }) {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type) && body
}

function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

function listed(functions) {
  const entries = functions.map(({ at, name, lines }) => `\n    ${at} ${name} ${lines}`)
  return `${functions.length}${entries.join('')}`
}

function count(trees, test) {
  return trees.reduce((sum, { program }) => sum + [...nodesOf(program)].filter(test).length, 0)
}

function isAny({ type }) {
  return type === 'TSAnyKeyword'
}

function isNonNull({ type }) {
  return type === 'TSNonNullExpression'
}

function isCast({ type, typeAnnotation }) {
  return type === 'TSAsExpression' && typeAnnotation.typeName?.name !== 'const'
}

function isNeverCast(node) {
  return isCast(node) && node.typeAnnotation.type === 'TSNeverKeyword'
}

function importsPrisma({ program }) {
  return program.body.some(({ source }) =>
    /^@prisma\/|\/generated\/|store\/database\/database$/.test(source?.value ?? ''),
  )
}

function importsPieces({ source, specifiers }) {
  if (!source?.value.startsWith('@prisma/client/runtime/')) return false
  return specifiers.some(({ imported }) => /^(sqltag|raw|join|empty)$/.test(imported?.name))
}

function isRawTemplate({ type, tag }) {
  return type === 'TaggedTemplateExpression' && /^\$(query|execute)Raw$/.test(tag.property?.name)
}

const MODEL_CALL = /^(find|create|update|delete|upsert|count|aggregate|groupBy)/

/** `tx.role.updateMany(...)`, `db.user.count(...)`, `prisma(db).user.count(...)`. */
function isPrismaCall({ type, callee }) {
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression') return false
  const { object: model, property } = callee
  if (!MODEL_CALL.test(property.name) || model.type !== 'MemberExpression') return false
  return /^(tx|db|within|prisma)$/.test(model.object.name ?? model.object.callee?.name)
}
