// The import rules of biome.json, made from the floors: a room may not import a room above it.
import { FLOORS } from './floors.mjs'

const FRAMEWORKS = ['next', 'next/**', 'next-auth', 'next-auth/**', 'react', 'react-dom']
const GENERATED = ['@prisma/*', '**/generated/**']
/** The types of Prisma, and who exports them. Other files of lib/store hide them. */
const PRISMA = [...GENERATED, '**/store/database']
/** Other imports that a room must not have, besides the rooms above it. */
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
  return [...FLOORS.map(roomRule), pagesRule()]
}

function roomRule(room, floor) {
  const above = FLOORS.slice(floor + 1).flatMap(importsOf)
  const includes = [
    room === 'op' ? 'lib/op.ts' : `lib/${room}/**`,
    ...(room === 'store' ? [] : [TESTS]),
  ]
  return rule(
    includes,
    [...above, ...(WITHOUT[room] ?? PRISMA)],
    `lib/${room} may import only the rooms below it: ${FLOORS.slice(0, floor).join(', ') || 'none'}`,
  )
}

/** How a file of lib names another room: `../room/file` or `../../room/file`. */
function importsOf(room) {
  if (room === 'op') return ['../op', '../../op']
  return [`../${room}/**`, `../../${room}/**`]
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
