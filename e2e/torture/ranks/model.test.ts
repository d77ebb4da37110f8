import { describe, expect, test } from 'vitest'
import {
  type Application,
  beyondHeld,
  ceilingOf,
  type Facts,
  type Grant,
  isNoWider,
  type Person,
  type Principal,
  type Reach,
  violationsOf,
} from './model'

/** Forged worlds: in each the model must find exactly what is wrong, and nothing where nothing is. */

const FUTURE = '2099-01-01T00:00:00.000Z'
const LATER = '2199-01-01T00:00:00.000Z'

function person(id: string, more: Partial<Person> = {}): Person {
  const nobody = { adminRole: null, enabled: true, email: `${id}@x.example`, username: null }
  return { id, ...nobody, attributes: '{}', ...more }
}

function grant(pattern: string, more: Partial<Grant> = {}): Grant {
  return {
    ...{ pattern, effect: 'allow', condition: null, validFrom: null, validUntil: null },
    ...more,
  }
}

function application(id: string, grants: Grant[], more: Partial<Application> = {}): Application {
  return {
    id,
    owner: null,
    enabled: true,
    acting: 'https://app.example',
    grants,
    gets: [],
    ...more,
  }
}

const WORLD: Facts = {
  people: [
    person('owner', { adminRole: 'owner' }),
    person('admin', { adminRole: 'admin' }),
    person('manager', { adminRole: 'app_manager' }),
    person('auditor', { adminRole: 'auditor' }),
    person('plain'),
    person('keeper'),
  ],
  applications: [
    application('users', [grant('users:write')]),
    application('apps', [grant('applications:write')]),
    application('brief', [
      grant('applications:write'),
      grant('users:read', { validUntil: FUTURE }),
      grant('roles:read', { condition: 'x' }),
    ]),
    application('own', [grant('shop:plain'), grant('vault:plain')], { owner: 'manager' }),
    application('own-strong', [grant('users:read')], { owner: 'manager' }),
    application('strong', [grant('users:read'), grant('vault:*')]),
    application('roled', [], { gets: ['vault:secret'] }),
    application('over', [grant('users:write', { validUntil: '2020-01-01T00:00:00.000Z' })]),
    application('later', [grant('users:write', { validFrom: FUTURE })]),
  ],
  apis: [
    { id: 'shop', owners: [], open: true },
    { id: 'vault', owners: ['keeper'], open: false },
  ],
  items: [
    { key: 'shop:plain', api: 'shop', ordinary: true },
    { key: 'shop:secret', api: 'shop', ordinary: false },
    { key: 'vault:plain', api: 'vault', ordinary: true },
    { key: 'vault:secret', api: 'vault', ordinary: false },
  ],
  groups: [
    { id: 'clerks', members: [], givesRoles: true, apis: [] },
    { id: 'keepers', members: [], givesRoles: false, apis: ['vault'] },
    { id: 'friends', members: [], givesRoles: false, apis: [] },
  ],
  webhooks: [{ id: 'hook', tells: 'https://a.example of user.deleted', enabled: false }],
  sessions: [
    { id: 'of the owner', person: 'owner' },
    { id: 'of plain', person: 'plain' },
  ],
  mail: 'the company',
  providers: '[]',
}

const NOTHING: Reach = { accounts: [], clients: [], userTokens: [], ownItems: [] }

const by = (id: string): Principal => ({ person: id, application: null, holds: [] })
const machine = (id: string, ...holds: string[]): Principal => ({
  ...{ person: null, application: id, holds },
})

type Now = { facts?: Partial<Facts>; reach?: Partial<Reach>; first?: Partial<Reach> }

function found(principal: Principal, { facts, reach, first }: Now): string[] {
  const ceiling = ceilingOf(principal, WORLD, { ...NOTHING, ...first })
  const now = { ...WORLD, ...facts }
  return violationsOf(ceiling, WORLD, now, { ...NOTHING, ...reach }).map(({ clause }) => clause)
}

function withPerson(id: string, more: Partial<Person>): Partial<Facts> {
  const others = WORLD.people.filter((one) => one.id !== id)
  const before = WORLD.people.find((one) => one.id === id) ?? person(id)
  return { people: [...others, { ...before, ...more }] }
}

function withApplication(id: string, more: Partial<Application>): Partial<Facts> {
  return {
    applications: WORLD.applications.map((one) => (one.id === id ? { ...one, ...more } : one)),
  }
}

function withMember(group: string, member: string): Partial<Facts> {
  const groups = WORLD.groups.map((one) => (one.id === group ? { ...one, members: [member] } : one))
  return { groups }
}

const gets = (id: string, ...scopes: string[]): Partial<Reach> => ({
  clients: [{ application: id, scopes }],
})

const ADMIN = by('admin')
const MANAGER = by('manager')
const USERS = machine('users', 'users:write')
const APPS = machine('apps', 'applications:write')
const BRIEF = machine('brief', 'applications:write', 'users:read', 'roles:read')

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
      'a scope on an occasion is given on any',
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
      'a scope on an occasion is given on the same',
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
