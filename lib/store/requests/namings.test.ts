import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { insertUser, type UserFields } from '../accounts/users'
import { type Database, openDatabase } from '../database/database'
import { foldedKey } from '../database/folded-key'
import { isNamedByAttribute, listUnreviewedTerms, listWaitingTerms } from './namings'

const NOW = new Date('2026-11-19T12:00:00.000Z')

describe.each(KINDS)('who is named by an attribute, on %s', (kind) => {
  let db: Database

  beforeAll(async () => {
    db = await openDatabase(await freshDatabase[kind]())
    const fields: Omit<UserFields, 'attributes' | 'username'> = {
      name: null,
      email: null,
      emailVerified: false,
      profile: {},
      adminRole: null,
      locale: null,
      disabledAt: null,
    }
    const people = [
      { boss: ' Dora@Example.com ' },
      { boss: 'ÉVA' },
      { boss: 'ｆｉｎｎ' },
      { boss: 7, lead: 'gus', list: ['hal'] },
      { boss: ['ida'] },
      {},
    ]
    for (const [at, attributes] of people.entries()) {
      const user = { ...fields, username: `user${at}`, attributes }
      await db.$transaction((tx) => insertUser(tx, `usr_${at}`, user, NOW))
    }
  })
  afterAll(() => db.$disconnect())

  const isNamed = (attribute: string, ...names: string[]) =>
    isNamedByAttribute(db, kind, attribute, new Set(names.map(foldedKey)))

  test('it is the same name as where a manager is looked up, in any writing', async () => {
    for (const name of ['dora@example.com', 'Éva', 'éva', 'finn'])
      expect([name, await isNamed('boss', name)]).toEqual([name, true])
    expect(await isNamed('boss', 'nobody', 'FINN')).toBe(true)
  })

  test('another attribute, another name and what is no text name nobody', async () => {
    for (const name of ['gus', 'eva', '7', 'ida', '["ida"]', 'dora', '%'])
      expect([name, await isNamed('boss', name)]).toEqual([name, false])
    expect(await isNamed('lead', 'gus')).toBe(true)
    expect(await isNamed('list', 'hal')).toBe(false)
    expect(await isNamed('x"; --', 'gus')).toBe(false)
    expect(await isNamed('boss')).toBe(false)
  })

  test('of more names than one statement takes, too', async () => {
    const names = Array.from({ length: 1_200 }, (_, at) => `name${at}`)
    expect(await isNamed('boss', ...names)).toBe(false)
    expect(await isNamed('boss', ...names, 'finn')).toBe(true)
  })

  test('without requests there are no terms', async () => {
    expect(await listWaitingTerms(db, kind)).toEqual([])
    expect(await listUnreviewedTerms(db, kind)).toEqual([])
  })
})
