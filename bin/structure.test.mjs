import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { biomeOverrides } from './structure/biome-rules.mjs'
import { unusedExports } from './structure/exports.mjs'
import {
  cycles,
  fileCycles,
  graphOf,
  parse,
  pointingUp,
  sourcesIn,
  unplaced,
} from './structure/graph.mjs'
import { LAYERS } from './structure/layers.mjs'
import {
  MAX_FUNCTION_LENGTH,
  piecesInTemplates,
  prismaOutsideStore,
  tooLong,
} from './structure/measure.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

describe.each(Object.keys(LAYERS))('the layers of %s', (folder) => {
  const graph = graphOf(ROOT, { folder })

  test('every folder and loose file is in the list of layers', () => {
    expect(unplaced(graph)).toEqual([])
  })

  test('no layer imports a layer above it, not even its types', () => {
    expect(pointingUp(graph)).toEqual([])
  })

  test('no two layers import each other, directly or through others', () => {
    expect(cycles(graph)).toEqual([])
  })
})

test('an import that points up and a cycle are found', () => {
  const arrows = [
    { from: 'base', to: 'api', files: [] },
    { from: 'api', to: 'base', files: [] },
  ]
  expect(pointingUp({ order: LAYERS.lib, arrows })).toEqual([arrows[0]])
  expect(cycles({ layers: ['base', 'api'], arrows })).toEqual([['base', 'api']])
})

test('no two files of lib import each other, directly or through others', () => {
  expect(fileCycles(ROOT, 'lib')).toEqual([])
})

test('every export of the product is imported by another file', () => {
  expect(unusedExports(ROOT)).toEqual([])
})

describe('biome.json', () => {
  test('has a rule for every layer of lib, made from the layers', () => {
    const { overrides } = JSON.parse(readFileSync(`${ROOT}/biome.json`, 'utf8'))
    expect(overrides, 'run: node bin/structure.mjs --biome').toEqual(biomeOverrides())
  })
})

const trees = ['lib', 'app']
  .flatMap((folder) => sourcesIn(ROOT, folder))
  .map((path) => parse(ROOT, path))

test('Prisma is known to lib/store, and to lib/op.ts, which opens the database', () => {
  expect(prismaOutsideStore(trees)).toEqual({ importers: ['lib/op.ts'], calls: 0 })
})

test('a statement that is put together from pieces is given to Prisma whole', () => {
  expect(piecesInTemplates(trees)).toEqual([])
})

test(`no function of the product has over ${MAX_FUNCTION_LENGTH} lines`, () => {
  expect(tooLong(trees)).toEqual([])
})
