import { describe, expect, it } from 'vitest'
import { conditionsIn } from './conditions'

describe('conditionsIn', () => {
  it('names the first place of each condition', () => {
    const body = {
      roles: [
        { key: 'a', permissions: [{ pattern: 'x:y', condition: 'one' }] },
        { key: 'b', permissions: [{ condition: 'one' }, { condition: 'two' }] },
      ],
      access: { askers: 'three', autoApprove: null, autoRefuse: 'two' },
    }
    expect([...conditionsIn(body)]).toEqual([
      ['one', '/roles/0/permissions/0/condition'],
      ['two', '/roles/1/permissions/1/condition'],
      ['three', '/access/askers'],
    ])
  })

  it('looks into a member that has the name but is no text', () => {
    expect([...conditionsIn({ condition: [{ condition: 'inner' }] })]).toEqual([
      ['inner', '/condition/0/condition'],
    ])
  })

  it.each([undefined, null, 7, 'condition', [], [null, 'condition', 3], { other: 'text' }])(
    'finds nothing in %j',
    (body) => {
      expect(conditionsIn(body).size).toBe(0)
    },
  )
})
