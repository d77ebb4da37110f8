import { describe, expect, test } from 'vitest'
import { beyondHeld } from './model'
import type { Principal } from './model-facts'
import { isNoWider } from './model-terms'
import {
  ADMIN,
  APPS,
  BRIEF,
  by,
  FUTURE,
  found,
  gets,
  grant,
  LATER,
  MANAGER,
  machine,
  type Now,
  USERS,
  WORLD,
  withApplication,
  withMember,
  withPerson,
} from './model-world'

describe('beyond the rule', () => {
  test.each<[string, Principal, Now, string]>([
    [
      'users:write makes an admin',
      USERS,
      { facts: withPerson('new', { adminRole: 'admin' }) },
      '1 admin role',
    ],
    [
      'an admin makes an owner',
      ADMIN,
      { facts: withPerson('plain', { adminRole: 'owner' }) },
      '1 admin role',
    ],
    [
      'an admin changes the owner',
      ADMIN,
      { facts: withPerson('owner', { email: 'e@x' }) },
      '2 account',
    ],
    [
      'an admin deletes the owner',
      ADMIN,
      { facts: { people: WORLD.people.slice(1) } },
      '2 account',
    ],
    [
      'users:write changes an admin',
      USERS,
      { facts: withPerson('admin', { enabled: false }) },
      '2 account',
    ],
    [
      'users:write changes who owns an API',
      USERS,
      { facts: withPerson('keeper', { email: 'e@x' }) },
      '2 account',
    ],
    ['users:write is an auditor', USERS, { reach: { accounts: ['auditor'] } }, '2 account'],
    ['an admin is the owner', ADMIN, { reach: { accounts: ['admin', 'owner'] } }, '2 account'],
    [
      'an app manager has a portal scope',
      MANAGER,
      { reach: gets('own', 'applications:read') },
      '3 portal scopes',
    ],
    [
      'applications:write has another scope',
      APPS,
      { reach: gets('strong', 'users:read') },
      '3 portal scopes',
    ],
    [
      'an app manager has a sensitive item of an open API',
      MANAGER,
      { reach: gets('own', 'shop:secret') },
      '4 API items',
    ],
    [
      'an app manager has an item of a closed API',
      MANAGER,
      { reach: gets('own', 'vault:secret') },
      '4 API items',
    ],
    [
      'roles:write gives its own machine an item',
      machine('apps', 'roles:write'),
      { reach: gets('apps', 'vault:plain') },
      '4 API items',
    ],
    [
      'an admin’s token of the owner has what only owners have',
      ADMIN,
      { reach: { userTokens: [{ application: 'strong', scopes: ['sign-in:write'] }] } },
      '3 portal scopes',
    ],
    [
      'a scope for a while is given for ever',
      BRIEF,
      { reach: gets('brief'), facts: withApplication('brief', { grants: [grant('users:read')] }) },
      '3 portal scopes',
    ],
    [
      'a scope for a while is given for longer',
      BRIEF,
      {
        reach: gets('brief'),
        facts: withApplication('brief', { grants: [grant('users:read', { validUntil: LATER })] }),
      },
      '3 portal scopes',
    ],
    [
      'a scope under a condition is given without one',
      BRIEF,
      { reach: gets('brief'), facts: withApplication('brief', { grants: [grant('roles:read')] }) },
      '3 portal scopes',
    ],
    [
      'a stronger application leads elsewhere',
      APPS,
      { facts: withApplication('strong', { acting: 'evil' }) },
      '5 act as an application',
    ],
    ['users:write signs the owner out', USERS, { facts: { sessions: [] } }, '2 account'],
    [
      'a stronger application gets another owner',
      APPS,
      { facts: withApplication('strong', { owner: 'plain' }) },
      '5 act as an application',
    ],
    [
      'one that holds an item by a role does',
      APPS,
      { facts: withApplication('roled', { acting: 'evil' }) },
      '5 act as an application',
    ],
    [
      'one that will hold a scope does',
      APPS,
      { facts: withApplication('later', { acting: 'evil' }) },
      '5 act as an application',
    ],
    [
      'one that lost only a part of what it held does',
      APPS,
      { facts: withApplication('strong', { acting: 'evil', grants: [grant('vault:plain')] }) },
      '5 act as an application',
    ],
    [
      'one without grants that still has a role does',
      APPS,
      { facts: withApplication('roled', { acting: 'evil', grants: [] }) },
      '5 act as an application',
    ],
    [
      'an app manager’s own one that holds a portal scope does',
      MANAGER,
      { facts: withApplication('own-strong', { acting: 'evil' }) },
      '5 act as an application',
    ],
    [
      'an app manager changes somebody else’s',
      MANAGER,
      { facts: withApplication('over', { acting: 'evil' }) },
      '5 act as an application',
    ],
    [
      'users:write puts somebody into a group with roles',
      USERS,
      { facts: withMember('clerks', 'plain') },
      '6 groups',
    ],
    [
      'users:write puts somebody among the owners of an API',
      USERS,
      { facts: withMember('keepers', 'plain') },
      '6 groups',
    ],
    [
      'an admin puts themselves into a group',
      ADMIN,
      { facts: withMember('friends', 'admin') },
      '6 own access',
    ],
    [
      'an admin changes their own attributes',
      ADMIN,
      { facts: withPerson('admin', { attributes: '{"a":1}' }) },
      '6 own access',
    ],
    [
      'an admin gives themselves a role',
      ADMIN,
      { reach: { ownItems: ['vault:secret'] } },
      '6 own access',
    ],
    ['an admin sets the mail server', ADMIN, { facts: { mail: 'evil' } }, '7 mail and providers'],
    ['an admin adds a provider', ADMIN, { facts: { providers: '[evil]' } }, '7 mail and providers'],
    [
      'an admin opens accounts to admins',
      ADMIN,
      { facts: { impersonation: 'full by admins' } },
      '7 mail and providers',
    ],
    [
      'webhooks:write alone hears everything',
      machine('apps', 'webhooks:write'),
      { facts: { webhooks: [{ id: 'new', tells: 'evil', enabled: true }] } },
      '8 webhooks',
    ],
    [
      'webhooks:write alone turns one on',
      machine('apps', 'webhooks:write'),
      { facts: { webhooks: WORLD.webhooks.map((one) => ({ ...one, enabled: true })) } },
      '8 webhooks',
    ],
  ])('%s', (_what, principal, now, clause) => {
    expect(found(principal, now)).toContain(clause)
  })
})

describe('within the rule', () => {
  test.each<[string, Principal, Now]>([
    ['nothing has happened', USERS, {}],
    ['an admin makes an admin', ADMIN, { facts: withPerson('plain', { adminRole: 'admin' }) }],
    ['an admin is an auditor', ADMIN, { reach: { accounts: ['auditor', 'manager', 'keeper'] } }],
    ['users:write is a plain person', USERS, { reach: { accounts: ['plain'] } }],
    [
      'an app manager takes an ordinary item of an open API',
      MANAGER,
      { reach: gets('new', 'shop:plain') },
    ],
    [
      'an app manager has what was given to their application',
      MANAGER,
      { reach: gets('own', 'vault:plain') },
    ],
    [
      'an app manager leads their own application elsewhere',
      MANAGER,
      { facts: withApplication('own', { acting: 'new' }) },
    ],
    [
      'an application with nothing in force is anybody’s',
      APPS,
      { facts: withApplication('over', { acting: 'new' }) },
    ],
    [
      'so is one from which everything was taken first',
      APPS,
      { facts: withApplication('strong', { acting: 'new', owner: 'plain', grants: [] }) },
    ],
    [
      'an application with less is taken',
      machine('apps', 'applications:write', 'users:read', 'resources:write'),
      { facts: {} },
    ],
    [
      'a scope for a while is given for less',
      BRIEF,
      {
        reach: gets('brief'),
        facts: withApplication('brief', {
          grants: [grant('users:read', { validUntil: '2098-01-01T00:00:00.000Z' })],
        }),
      },
    ],
    [
      'a scope under a condition is given under the same',
      BRIEF,
      {
        reach: gets('brief'),
        facts: withApplication('brief', { grants: [grant('roles:read', { condition: 'x' })] }),
      },
    ],
    [
      'what was in its hands at the start',
      MANAGER,
      { first: gets('own', 'users:read'), reach: gets('own', 'users:read') },
    ],
    ['users:write puts somebody among friends', USERS, { facts: withMember('friends', 'plain') }],
    [
      'the owner opens accounts to admins',
      by('owner'),
      { facts: { impersonation: 'full by admins' } },
    ],
    ['the owner sets the mail server', by('owner'), { facts: { mail: 'new', providers: '[new]' } }],
    [
      'an admin makes a webhook',
      ADMIN,
      { facts: { webhooks: [{ id: 'new', tells: 'new', enabled: true }] } },
    ],
    [
      'users:write signs a plain person out',
      USERS,
      { facts: { sessions: WORLD.sessions.filter(({ person: id }) => id === 'owner') } },
    ],
    ['an application loses its owner', APPS, { facts: withApplication('own', { owner: null }) }],
    ['an application is deleted', APPS, { facts: { applications: [] } }],
  ])('%s', (_what, principal, now) => {
    expect(found(principal, now)).toEqual([])
  })
})

test('a call that succeeded is held against what is held now', () => {
  const route = { id: 'createUser', scope: 'users:write' }
  expect(beyondHeld(route, new Set(['users:write']))).toEqual([])
  expect(beyondHeld(route, new Set())).toHaveLength(1)
  expect(beyondHeld({ id: 'openapi', scope: 'public' }, new Set())).toEqual([])
  const model = { id: 'exportModel', scope: 'spaces:read' }
  expect(beyondHeld(model, new Set(['spaces:read']))).toHaveLength(1)
})

test('a deny is no term to give under', () => {
  expect(isNoWider(grant('a:b'), grant('a:b', { effect: 'deny' }))).toBe(false)
  expect(isNoWider(grant('a:b', { validFrom: FUTURE }), grant('a:b', { validFrom: LATER }))).toBe(
    false,
  )
  expect(isNoWider(grant('a:b', { validFrom: LATER }), grant('a:b', { validFrom: FUTURE }))).toBe(
    true,
  )
})
