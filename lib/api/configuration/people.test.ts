import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import { listUsers } from '../users/users'

const PEOPLE = ['ada', 'ben', 'cleo', 'dan'].map((username) => ({ username }))

describe.each(usually('sqlite'))('the users of a document, on %s', (kind) => {
  let portal: Operations

  beforeAll(async () => {
    portal = await openOperations(kind, { users: PEOPLE })
  })
  afterAll(() => portal.close())

  const usernames = async () => {
    const { body } = await portal.ask(portal.owner, listUsers)
    return body.data
      .map(({ username, email }: { username: string; email: string }) => username ?? email)
      .sort()
  }

  test('are found by an address that is longer than what can be searched for', async () => {
    const email = `ida@${`${'x'.repeat(60)}.`.repeat(4)}org`
    const users = [{ email, name: 'Ida' }]
    expect(email.length).toBeGreaterThan(200)
    expect(await portal.apply({ users })).toEqual([`+ user ${email}`])
    expect(await portal.apply({ users })).toEqual([])
    const prune = ['users']
    expect(await portal.apply({ prune, users: PEOPLE })).toEqual([`- user ${email}`])
  })

  describe('users that it prunes', () => {
    const prune = ['users']

    test('are those that it does not name, whether they have a user name, an address or both', async () => {
      const users = [
        { username: 'dora', email: null },
        { username: null, email: 'eve@x.org' },
        { username: 'fay', email: 'fay@x.org' },
      ]
      await portal.apply({ users })
      // An export says `null` for what a user does not have.
      const left = users.slice(0, 1)
      const lines = await portal.apply({ prune, users: [...PEOPLE, ...left] })
      expect(lines.sort()).toEqual(['- user eve@x.org', '- user fay'])
      expect(await usernames()).toEqual(['ada', 'ben', 'cleo', 'dan', 'dora'])
      await portal.apply({ prune, users: PEOPLE })
    })

    test('are not those whose name it writes in other letters', async () => {
      const users = [...PEOPLE, { email: 'Gail@X.org' }, { username: 'Hugo' }]
      await portal.apply({ users })
      const before = await usernames()
      const written = [...PEOPLE, { email: 'gail@x.ORG' }, { username: 'ｈugo' }]
      const lines = await portal.apply({ prune, users: written })
      expect(lines.filter((line) => line.startsWith('-'))).toEqual([])
      expect(await usernames()).toHaveLength(before.length)
      await portal.apply({ prune, users: PEOPLE })
    })
  })
})
