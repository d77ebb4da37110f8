import { describe, expect, test } from 'vitest'
import { canonical, differences } from './differences'

/** What a file would change, in one line: what an operator reads before they press enter. */

const said = (was: object, after: Record<string, unknown>) => differences(was, after).said

describe('what differs', () => {
  test('is only what the file names; the rest of the object stays as it is', () => {
    const was = { name: 'Shop', enabled: true, createdAt: 'then' }
    expect(differences(was, { name: 'Shop' })).toEqual({ changed: {}, said: [] })
    expect(differences(was, { enabled: false })).toEqual({
      changed: { enabled: false },
      said: ['enabled true -> false'],
    })
  })

  test('is no difference between a member that is missing and one that is null', () => {
    expect(said({}, { owner: null })).toEqual([])
    expect(said({ owner: null }, { owner: undefined })).toEqual([])
    expect(said({ owner: 'usr_1' }, { owner: null })).toEqual(['owner "usr_1" -> null'])
  })

  test('is no difference in the order of lists and members, or in how a time is written', () => {
    const was = {
      scopes: ['a', 'b'],
      look: { light: '#fff', dark: '#000' },
      validUntil: '2030-01-01T00:00:00.000Z',
    }
    const after = {
      scopes: ['b', 'a'],
      look: { dark: '#000', light: '#fff' },
      validUntil: '2030-01-01T02:00:00+02:00',
    }
    expect(said(was, after)).toEqual([])
    expect(said(was, { validUntil: '2030-01-01T00:00:00+02:00' })).toHaveLength(1)
  })

  test('of a list is what comes and what goes, by key, pattern, ID or name', () => {
    const was = { permissions: [{ pattern: 'a:read' }, { pattern: 'a:old' }] }
    const after = { permissions: [{ pattern: 'a:read', condition: 'true' }, { pattern: 'a:new' }] }
    expect(said(was, after)).toEqual(['permissions +a:read +a:new -a:old'])
    expect(said({ hosts: ['x'] }, { hosts: ['x', 'y'] })).toEqual(['hosts +y'])
    expect(said({ of: [{ id: 1 }] }, { of: [] })).toEqual(['of -1'])
    expect(said({ of: [] }, { of: [{ name: 'N' }] })).toEqual(['of +N'])
  })

  test('of something larger is only its name, and of a long text its beginning', () => {
    expect(said({ look: { a: 1 } }, { look: { a: 2 } })).toEqual(['look'])
    const [line] = said({ text: 'a'.repeat(500) }, { text: 'b'.repeat(500) })
    expect(line?.length).toBeLessThan(140)
  })
})

describe('a text that only looks like a time', () => {
  test.each([
    '2026-13-45T99:99:99',
    '2026-01-01T00:00:00 is when the shop opened',
    '2026-01-01T00:00:00Z+1',
  ])('%s is compared as it is', (name) => {
    expect(said({ name }, { name })).toEqual([])
    expect(said({ name: 'Shop' }, { name })).toEqual([`name "Shop" -> "${name}"`])
    expect(said({ attributes: { due: name } }, { attributes: { due: name } })).toEqual([])
  })
})

test('what decides one after the other is another thing in another order', () => {
  const [first, second] = [{ approvers: ['a'] }, { approvers: ['b'] }]
  expect(said({ stages: [first, second] }, { stages: [second, first] })).toEqual(['stages'])
  expect(said({ stages: [first, second] }, { stages: [first, second] })).toEqual([])
})

test('of a list of things without a name is only its name, as of everything larger', () => {
  const stage = (needed: number) => ({ approvers: [{ type: 'user', id: 'usr_1' }], needed })
  expect(said({ stages: [stage(1)] }, { stages: [stage(2)] })).toEqual(['stages'])
  expect(said({ stages: [stage(1)] }, { stages: [stage(1), stage(2)] })).toEqual(['stages'])
  expect(said({ of: [{ id: 1 }] }, { of: [{ id: 1 }, stage(1)] })).toEqual(['of'])
})

test('two values have the same text only if they are the same', () => {
  const values = [null, 0, '', false, [], {}, [[]], [{}], { a: null }, { a: [] }, '0', ['0'], [0]]
  expect(new Set(values.map(canonical)).size).toBe(values.length)
  expect(canonical(undefined)).toBe(canonical(null))
})
