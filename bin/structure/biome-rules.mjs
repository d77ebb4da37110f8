// The import rules of biome.json, made from the layers: a layer may not import a layer above it.
import { LAYERS } from './layers.mjs'

const LIB = LAYERS.lib

const FRAMEWORKS = ['next', 'next/**', 'next-auth', 'next-auth/**', 'react', 'react-dom']
const GENERATED = ['@prisma/*', '**/generated/**']
/** The types of Prisma, and who exports them. Other files of lib/store hide them. */
const PRISMA = [...GENERATED, '**/store/database/database']
/** Other imports that a layer must not have, besides the layers above it. */
const WITHOUT = {
  base: [...FRAMEWORKS, ...PRISMA],
  crypto: [...FRAMEWORKS, ...PRISMA],
  access: [...FRAMEWORKS, ...PRISMA, '../**', 'jose', 'zod'],
  oidc: [...FRAMEWORKS, ...PRISMA],
  store: FRAMEWORKS,
  // It opens the database and passes it to tests.
  op: GENERATED,
}

/** A test composes what it needs; those of the store know Prisma. */
const TESTS = '!lib/**/*.test.ts'

export function biomeOverrides() {
  return [...LIB.map(layerRule), pagesRule()]
}

function layerRule(layer, position) {
  const above = LIB.slice(position + 1).flatMap((other) => importsOf(other, layer))
  const includes = [
    layer === 'op' ? 'lib/op.ts' : `lib/${layer}/**`,
    ...(layer === 'store' ? [] : [TESTS]),
  ]
  return rule(
    includes,
    [...above, ...(WITHOUT[layer] ?? PRISMA)],
    `lib/${layer} may import only the layers below it: ${LIB.slice(0, position).join(', ') || 'none'}`,
  )
}

/**
 * How a file of lib names another layer: `../layer/file` or `../../layer/file`. Every file of
 * lib/store is in a folder, and some of these folders have the name of a layer.
 */
function importsOf(layer, from) {
  const path = layer === 'op' ? 'op' : `${layer}/**`
  return from === 'store' ? [`../../${path}`] : [`../${path}`, `../../${path}`]
}

function pagesRule() {
  return rule(
    ['app/**'],
    [...PRISMA, '@/lib/store/**'],
    'pages go through lib/op, lib/browser, lib/accounts and lib/api',
  )
}

function rule(includes, group, message) {
  const options = { patterns: [{ group, message }] }
  return {
    includes,
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options } } } },
  }
}
