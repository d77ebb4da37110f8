import { describe, expect, it } from 'vitest'
import { RoleGrants, Texts } from './role-grants'

const grantsOf = (...list: unknown[]) => JSON.stringify(list)

describe('the grants of roles', () => {
  it('are read from the text of each role', () => {
    const texts = new Texts([
      grantsOf('grn_1 orders:read', 'grn_2 orders:*'),
      grantsOf(),
      grantsOf(['grn_3', 'deny', null, null, 5_000, 'orders:write', null], 'grn_4 人:read'),
    ])
    const [first, second, third] = [0, 1, 2].map((at) => new RoleGrants(texts, at))
    expect(first?.exact.get('orders:read')).toMatchObject([{ id: 'grn_1', effect: 'allow' }])
    expect(first?.patterns).toMatchObject([{ id: 'grn_2', pattern: 'orders:*' }])
    expect(second?.exact.size).toBe(0)
    expect(third?.exact.get('orders:write')).toMatchObject([{ effect: 'deny', validUntil: 5_000 }])
    expect(third?.exact.get('人:read')).toMatchObject([{ id: 'grn_4' }])
  })

  it('stay objects until others need the space', () => {
    const long = grantsOf(`grn_1 orders:read${'d'.repeat(5_000_000)}`)
    const texts = new Texts([long, grantsOf('grn_2 orders:write'), long])
    const [first, second, third] = [0, 1, 2].map((at) => new RoleGrants(texts, at))
    const before = first?.exact
    expect(before?.size).toBe(1)
    expect(second?.exact.size).toBe(1)
    expect(first?.exact).toBe(before)
    expect(third?.exact.size).toBe(1)
    expect(first?.exact).not.toBe(before)
    expect(first?.exact).toEqual(before)
  })
})
