import { beforeEach, describe, expect, test, vi } from 'vitest'

type Modules = typeof import('./condition') & typeof import('./stored-condition')

const distinct = (word: string, count: number) =>
  Array.from(
    { length: count },
    (_, at) => `user.${word}.all(x, user.${word}.all(y, x + y > -${at}))`,
  )

describe('conditions that were read', () => {
  let made: Modules

  beforeEach(async () => {
    vi.resetModules() // with an empty cache
    made = { ...(await import('./condition')), ...(await import('./stored-condition')) }
  })

  test('are compiled before they are needed', async () => {
    const sources = distinct('many', 300)
    for (const source of sources) made.compileStored(source)
    expect(sources.every(made.canBeCompiledAhead)).toBe(true)
    await made.whenCompiled()
    expect(sources.some(made.canBeCompiledAhead)).toBe(false)
    expect(made.whenCompiled()).toBeNull()
  })

  test('of which there are few are not waited for', () => {
    for (const source of distinct('few', 3)) made.compileStored(source)
    expect(made.whenCompiled()).toBeNull()
  })

  test('push none out of the cache, and are compiled later if there is no place', async () => {
    const { compileStored, canBeCompiledAhead, KEPT_CHARACTERS, whenCompiled } = made
    const first = distinct('first', 20)
    for (const source of first) compileStored(source)
    await whenCompiled()
    const long = Array.from({ length: KEPT_CHARACTERS / 1_000 }, (_, at) =>
      `user.department == 'long${at}'`.padEnd(1_500),
    )
    const conditions = long.map(compileStored)
    await whenCompiled()
    expect(canBeCompiledAhead('user.short == 1')).toBe(true) // there is a place for a short one
    expect(first.some(canBeCompiledAhead)).toBe(false)
    expect(conditions.at(-1)?.evaluate({} as never)).toBe('context_missing')
  })
})
