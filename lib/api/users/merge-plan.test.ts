import { describe, expect, test } from 'vitest'
import type { Account, Holdings } from '../../store/accounts/merging'
import type { UserRecord } from '../../store/accounts/users'
import { doubtsAbout, fieldsToChoose, taken } from './merge-plan'
import { NOTHING_YET } from './users'

/** What a merge decides before it is done. */

const NOW = new Date('2026-11-15T12:00:00Z')

function user(fields: Partial<UserRecord>): UserRecord {
  return { ...NOTHING_YET, id: 'usr_x', createdAt: NOW, updatedAt: NOW, version: 1, ...fields }
}

/** An address of the account itself, or of an identity at a provider. */
type Address = [email: string, emailVerified: boolean]

function account(own: Address | null, ...atProviders: Address[]): Account {
  const [email, emailVerified] = own ?? [null, false]
  const identities = atProviders.map(([address, verified], at) => ({
    ...{ id: `idn_${at}`, provider: 'https://p.example' },
    ...{ email: address, emailVerified: verified },
  }))
  return { user: user({ email, emailVerified }), holds: { identities } as unknown as Holdings }
}

describe('N50: whether two accounts belong to one person', () => {
  const proven: string[] = []
  const rows: [string, Account, Account, string[]][] = [
    ['a verified address of both', account(['a@x', true]), account(null, ['A@X', true]), proven],
    ['at two providers', account(null, ['a@x', true]), account(null, ['a@x', true]), proven],
    [
      'entered at a provider and never verified there',
      account(['a@x', true]),
      account(null, ['a@x', false]),
      ['address_not_verified'],
    ],
    [
      'never verified here',
      account(['a@x', false]),
      account(null, ['a@x', true]),
      ['address_not_verified'],
    ],
    [
      'one is shared and verified by one side only, another by the other side',
      account(['a@x', true], ['b@x', false]),
      account(['b@x', true], ['a@x', false]),
      ['address_not_verified'],
    ],
    ['other addresses', account(['a@x', true]), account(['b@x', true]), ['no_shared_address']],
    ['no address at all', account(null), account(null), ['no_shared_address']],
  ]
  test.each(rows)('%s', (_title, kept, gone, doubts) => {
    expect(doubtsAbout({ kept, gone })).toEqual(doubts)
  })

  test('the account that goes is disabled', () => {
    const gone = account(['a@x', true])
    gone.user.disabledAt = NOW
    const doubts = doubtsAbout({ kept: account(null, ['a@x', true]), gone })
    expect(doubts).toEqual(['disabled'])
  })
})

describe('the values of a merge', () => {
  const kept = user({
    ...{ name: 'Ann', email: 'ann@x.org', emailVerified: true },
    profile: { phone_number: '+1', phone_number_verified: true, nickname: 'A' },
    attributes: { branch: 'Bern' },
  })
  const gone = user({
    ...{ name: 'Ann', email: 'a@x.org', emailVerified: false, adminRole: 'auditor' },
    profile: { phone_number: '+2', gender: 'f' },
    attributes: { branch: 'Bern', level: 3 },
  })

  test('can be taken where the other account has none, or another one', () => {
    expect(fieldsToChoose(kept, gone)).toEqual([
      { name: 'email', kept: 'ann@x.org', removed: 'a@x.org' },
      { name: 'adminRole', kept: null, removed: 'auditor' },
      { name: 'profile.gender', kept: null, removed: 'f' },
      { name: 'profile.phone_number', kept: '+1', removed: '+2' },
      { name: 'attributes.level', kept: null, removed: 3 },
    ])
  })

  test('M31: an address or a number is no more verified than it was', () => {
    expect(taken(kept, gone, ['email'])).toEqual({ email: 'a@x.org', emailVerified: false })
    expect(taken(kept, gone, ['profile.phone_number'])).toEqual({
      profile: { phone_number: '+2', nickname: 'A' },
    })
  })

  test('stay as they are where nothing was chosen', () => {
    expect(taken(kept, gone, [])).toEqual({})
    expect(taken(kept, gone, ['attributes.level', 'profile.phone_number_verified'])).toEqual({
      attributes: { branch: 'Bern', level: 3 },
    })
  })
})
