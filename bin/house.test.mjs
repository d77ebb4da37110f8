import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { biomeOverrides } from './house/biome-rules.mjs'
import { climbing, graphOf, parse, rings, sourcesIn, unplaced } from './house/graph.mjs'
import { LONGEST_FUNCTION, prismaOutsideStore, tooLong } from './house/measure.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const graph = graphOf(ROOT)

describe('the rooms of lib', () => {
  test('every folder and loose file has a floor', () => {
    expect(unplaced(graph)).toEqual([])
  })

  test('no room imports a room above it, not even its types', () => {
    expect(climbing(graph)).toEqual([])
  })

  test('no rooms import each other', () => {
    expect(rings(graph)).toEqual([])
  })

  test('an arrow that climbs and a ring are found', () => {
    const arrows = [
      { from: 'base', to: 'api', files: [] },
      { from: 'api', to: 'base', files: [] },
    ]
    expect(climbing({ arrows })).toEqual([arrows[0]])
    expect(rings({ rooms: ['base', 'api'], arrows })).toEqual([['base', 'api']])
  })

  test('Biome has a rule for every room, made from the floors', () => {
    const { overrides } = JSON.parse(readFileSync(`${ROOT}/biome.json`, 'utf8'))
    expect(overrides, 'run: node bin/house.mjs --biome').toEqual(biomeOverrides())
  })
})

const trees = ['lib', 'app']
  .flatMap((folder) => sourcesIn(ROOT, folder))
  .map((path) => parse(ROOT, path))

test('Prisma is known to lib/store, and to lib/op.ts, which opens the database', () => {
  expect(prismaOutsideStore(trees)).toEqual({ importers: ['lib/op.ts'], calls: 0 })
})

test(`no function of the product has over ${LONGEST_FUNCTION} lines`, () => {
  expect(tooLong(trees)).toEqual([])
})
