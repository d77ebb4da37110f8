import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { biomeOverrides } from './structure/biome-rules.mjs'
import { cycles, graphOf, parse, pointingUp, sourcesIn, unplaced } from './structure/graph.mjs'
import {
  LONGEST_FUNCTION,
  piecesInTemplates,
  prismaOutsideStore,
  tooLong,
} from './structure/measure.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const graph = graphOf(ROOT)

describe('the layers of lib', () => {
  test('every folder and loose file of lib is in the list of layers', () => {
    expect(unplaced(graph)).toEqual([])
  })

  test('no layer imports a layer above it, not even its types', () => {
    expect(pointingUp(graph)).toEqual([])
  })

  test('no two layers import each other, directly or through others', () => {
    expect(cycles(graph)).toEqual([])
  })

  test('an import that points up and a cycle are found', () => {
    const arrows = [
      { from: 'base', to: 'api', files: [] },
      { from: 'api', to: 'base', files: [] },
    ]
    expect(pointingUp({ arrows })).toEqual([arrows[0]])
    expect(cycles({ layers: ['base', 'api'], arrows })).toEqual([['base', 'api']])
  })

  test('Biome has a rule for every layer, made from the layers', () => {
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

test(`no function of the product has over ${LONGEST_FUNCTION} lines`, () => {
  expect(tooLong(trees)).toEqual([])
})
