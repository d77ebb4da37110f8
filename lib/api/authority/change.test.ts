import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import type { PortalScope } from '../../access/portal-api'
import { createAccessKey } from '../applications/access-keys'
import { createApplication } from '../applications/applications'
import type { Caller } from '../http/caller'
import { isProblem } from '../http/problem'
import { createGroup } from '../permissions/groups'
import { createRole } from '../permissions/roles'
import { changeSpace, createSpace } from '../permissions/spaces'
import { changeUser, createUser } from '../users/users'

/** What has a name already is named only to those who may read it (attack N1). */

const KEY = { name: 'K', accessKey: 'ak_taken' }

describe.each(usually('sqlite'))('a name that is taken, on %s', (kind) => {
  let portal: Operations

  beforeAll(async () => {
    portal = await openOperations(kind, {
      users: [
        { username: 'ada', name: 'Ada Lovelace', email: 'ada@x.org' },
        { username: 'ben' },
        { username: 'mia', adminRole: 'app_manager' },
      ],
      groups: [{ key: 'crew', name: 'The crew' }],
      spaces: [
        { key: 'shop', name: 'The shop', roles: [{ key: 'clerk', name: 'The clerk' }] },
        { key: 'other', name: 'Other' },
      ],
      applications: [
        { id: 'bot', kind: 'machine', name: 'The bot' },
        { id: 'mine', kind: 'machine', name: 'Mine', owner: 'mia' },
      ],
    })
    await portal.ask(portal.owner, createAccessKey, { params: { id: 'bot' }, body: KEY })
  })
  afterAll(() => portal.close())

  const only = (...scopes: PortalScope[]): Caller => ({
    ...portal.owner,
    scopes: new Set(scopes),
  })
  type Asked = Parameters<Operations['ask']>[2]
  const said = async (caller: Caller, operation: { id: string }, asked: Asked) => {
    try {
      await portal.ask(caller, operation, asked)
      return 'not refused'
    } catch (error) {
      if (!isProblem(error)) throw error
      const [field] = error.options.errors ?? []
      return `${error.code} ${field?.pointer}: ${field?.detail}`
    }
  }
  const UNSAID = 'Something else has this name or key already. Choose another.'

  test.each<[string, PortalScope[], { id: string }, () => Asked, string, string]>([
    [
      'an address',
      ['users:write', 'users:read'],
      createUser,
      () => ({ body: { email: 'ADA@x.org' } }),
      '/email',
      'Ada Lovelace has this address already.',
    ],
    [
      'a user name, of a user that exists',
      ['users:write', 'users:read'],
      changeUser,
      () => ({ params: { user: 'ben' }, body: { username: 'Ada' } }),
      '/username',
      'Ada Lovelace has this user name already.',
    ],
    [
      'a group',
      ['users:write', 'users:read'],
      createGroup,
      () => ({ body: { key: 'crew', name: 'X' } }),
      '/key',
      'The group “The crew” has this key already.',
    ],
    [
      'a space',
      ['spaces:write', 'spaces:read'],
      createSpace,
      () => ({ body: { key: 'shop', name: 'X' } }),
      '/key',
      'The space “The shop” has this key already.',
    ],
    [
      'a space that is renamed',
      ['spaces:write', 'spaces:read'],
      changeSpace,
      () => ({ params: { space: 'other' }, body: { key: 'shop' } }),
      '/key',
      'The space “The shop” has this key already.',
    ],
    [
      'a role',
      ['roles:write', 'roles:read'],
      createRole,
      () => ({ params: { space: 'shop' }, body: { key: 'clerk', name: 'X' } }),
      '/key',
      'The role “The clerk” has this key already.',
    ],
    [
      'an application',
      ['applications:write', 'applications:read'],
      createApplication,
      () => ({ body: { id: 'bot', kind: 'machine', name: 'X' } }),
      '/id',
      'The application “The bot” has this client ID already.',
    ],
    [
      'an access key',
      ['applications:write', 'applications:read'],
      createAccessKey,
      () => ({ params: { id: 'mine' }, body: KEY }),
      '/accessKey',
      'An access key of the application “The bot” has this ID already.',
    ],
  ])(
    'of %s is told to those who may read it',
    async (_what, scopes, operation, asked, at, told) => {
      expect(await said(only(...scopes), operation, asked())).toBe(`conflict ${at}: ${told}`)
      const [write] = scopes
      expect(await said(only(write ?? 'users:write'), operation, asked())).toBe(
        `conflict ${at}: ${UNSAID}`,
      )
    },
  )

  test('N2: is not told to an app manager, who sees only their own', async () => {
    const mia = await portal.as('mia')
    const body = { id: 'bot', kind: 'machine', name: 'X' }
    expect(await said(mia, createApplication, { body })).toBe(`conflict /id: ${UNSAID}`)
    expect(await said(mia, createAccessKey, { params: { id: 'mine' }, body: KEY })).toBe(
      `conflict /accessKey: ${UNSAID}`,
    )
  })

  test('is the same for the same object: its own name is not taken', async () => {
    const asked = { params: { user: 'ada' }, body: { username: 'ADA', email: 'ada@x.org' } }
    expect(await said(portal.owner, changeUser, asked)).toBe('not refused')
  })

  test('two names that are taken are both named', async () => {
    const body = { email: 'ada@x.org', username: 'ben' }
    expect(await portal.refused(portal.owner, createUser, { body })).toBe(
      'conflict /email taken_email, /username taken_username',
    )
  })
})
