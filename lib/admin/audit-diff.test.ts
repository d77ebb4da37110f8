import { describe, expect, test } from 'vitest'
import { besidesChanges, changesIn } from './audit-diff'

describe('changesIn', () => {
  test('a change names what became different, and not what stayed', () => {
    const before = { name: 'Shop', enabled: true, redirectUris: ['https://a.example'] }
    const after = { name: 'Shop', enabled: false, redirectUris: ['https://a.example'] }
    expect(changesIn({ before, after })).toEqual([
      { field: 'enabled', before: 'true', after: 'false' },
    ])
  })

  test('a field that was not sent stayed', () => {
    expect(changesIn({ before: { name: 'a', email: 'b' }, after: { name: 'c' } })).toEqual([
      { field: 'name', before: 'a', after: 'c' },
    ])
  })

  test('what is new was nothing before; what is deleted is nothing after', () => {
    expect(changesIn({ after: { name: 'new' } })).toEqual([
      { field: 'name', before: null, after: 'new' },
    ])
    expect(changesIn({ before: { name: 'old', note: null } })).toEqual([
      { field: 'name', before: 'old', after: null },
    ])
  })

  test('an entry about something else has none', () => {
    expect(changesIn({ grant_type: 'client_credentials' })).toBeNull()
    expect(changesIn({ before: 'x', after: ['y'] })).toBeNull()
  })
})

describe('besidesChanges', () => {
  test('keeps what is no change, and lists that cannot be compared', () => {
    expect(besidesChanges({ before: {}, after: {} })).toBeNull()
    expect(besidesChanges({ method: 'passkey', after: ['a'] })).toEqual({
      method: 'passkey',
      after: ['a'],
    })
  })
})
