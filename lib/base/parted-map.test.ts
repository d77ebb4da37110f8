import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PartedMap } from './parted-map'

const change = fc.tuple(
  fc.string({ maxLength: 3 }),
  fc.option(fc.nat(), { nil: undefined, freq: 3 }),
)

test('holds what a plain map holds, and leaves the one before as it was', () => {
  fc.assert(
    fc.property(fc.array(change), fc.array(change), (first, then) => {
      const [plain, before] = [new Map<string, number>(), new Map<string, number>()]
      for (const [key, value] of first) put(before, key, value)
      for (const [key, value] of [...first, ...then]) put(plain, key, value)
      const parted = PartedMap.of<number>([]).with(first)
      const changed = parted.with(then)
      expect(new Map(changed)).toEqual(plain)
      expect(changed.size).toBe(plain.size)
      expect([...changed.keys()].sort()).toEqual([...plain.keys()].sort())
      expect(new Map(parted)).toEqual(before)
      for (const key of plain.keys()) expect(changed.get(key)).toBe(plain.get(key))
      expect(changed.has('not there at all')).toBe(false)
    }),
  )
})

function put(map: Map<string, number>, key: string, value: number | undefined): void {
  if (value === undefined) map.delete(key)
  else map.set(key, value)
}
