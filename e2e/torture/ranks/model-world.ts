import { violationsOf } from './model'
import { ceilingOf } from './model-ceiling'
import type { Application, Facts, Grant, Person, Principal, Reach } from './model-facts'

/** A small portal, and changes to it, for the tests of the model. */

export const FUTURE = '2099-01-01T00:00:00.000Z'
export const LATER = '2199-01-01T00:00:00.000Z'

export function person(id: string, more: Partial<Person> = {}): Person {
  const nobody = { adminRole: null, enabled: true, email: `${id}@x.example`, username: null }
  return { id, ...nobody, verified: true, attributes: '{}', ...more }
}

export function grant(pattern: string, more: Partial<Grant> = {}): Grant {
  return {
    pattern,
    exchangeFrom: null,
    effect: 'allow',
    condition: null,
    validFrom: null,
    validUntil: null,
    ...more,
  }
}

export function application(
  id: string,
  grants: Grant[],
  more: Partial<Application> = {},
): Application {
  return {
    id,
    owner: null,
    enabled: true,
    acting: 'https://app.example',
    impersonates: false,
    grants,
    gets: [],
    ...more,
  }
}

export const WORLD: Facts = {
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
    application('relay', [grant('vault:plain', { exchangeFrom: 'own' })]),
    application('over', [grant('users:write', { validUntil: '2020-01-01T00:00:00.000Z' })]),
    application('later', [grant('users:write', { validFrom: FUTURE })]),
  ],
  apis: [
    { id: 'shop', owners: [], open: true },
    { id: 'vault', owners: ['keeper'], open: false },
  ],
  items: [
    { key: 'shop:plain', api: 'shop', ordinary: true, ranked: false },
    { key: 'shop:secret', api: 'shop', ordinary: false, ranked: false },
    { key: 'vault:plain', api: 'vault', ordinary: true, ranked: false },
    { key: 'vault:secret', api: 'vault', ordinary: false, ranked: true },
  ],
  groups: [
    { id: 'clerks', members: [], givesRoles: true, apis: [] },
    { id: 'keepers', members: [], givesRoles: false, apis: ['vault'] },
    { id: 'friends', members: [], givesRoles: false, apis: [] },
  ],
  roles: [],
  decisions: [],
  webhooks: [{ id: 'hook', tells: 'https://a.example of user.deleted', enabled: false }],
  sessions: [
    { id: 'of the owner', person: 'owner' },
    { id: 'of plain', person: 'plain' },
  ],
  mail: 'the company',
  providers: '[]',
  impersonation: 'off by owners',
  registration: { open: false, scopes: ['openid', 'shop:plain', 'vault:plain'] },
}

export const NOTHING: Reach = {
  accounts: [],
  clients: [],
  userTokens: [],
  ownItems: [],
  approved: [],
}

export const by = (id: string): Principal => ({ person: id, application: null, holds: [] })
export const machine = (id: string, ...holds: string[]): Principal => ({
  person: null,
  application: id,
  holds,
})

export type Now = { facts?: Partial<Facts>; reach?: Partial<Reach>; first?: Partial<Reach> }

/** `more`: what else stood there at the start. */
export function found(
  principal: Principal,
  { facts, reach, first }: Now,
  more: Partial<Facts> = {},
): string[] {
  const start = { ...WORLD, ...more }
  const ceiling = ceilingOf(principal, start, { ...NOTHING, ...first })
  const now = { ...start, ...facts }
  return violationsOf(ceiling, start, now, { ...NOTHING, ...reach }).map(({ clause }) => clause)
}

export function withPerson(id: string, more: Partial<Person>): Partial<Facts> {
  const others = WORLD.people.filter((one) => one.id !== id)
  const before = WORLD.people.find((one) => one.id === id) ?? person(id)
  return { people: [...others, { ...before, ...more }] }
}

export function withApplication(id: string, more: Partial<Application>): Partial<Facts> {
  return {
    applications: WORLD.applications.map((one) => (one.id === id ? { ...one, ...more } : one)),
  }
}

export function withMember(group: string, member: string): Partial<Facts> {
  const groups = WORLD.groups.map((one) => (one.id === group ? { ...one, members: [member] } : one))
  return { groups }
}

export const gets = (id: string, ...scopes: string[]): Partial<Reach> => ({
  clients: [{ application: id, scopes }],
})

export const ADMIN = by('admin')
export const MANAGER = by('manager')
export const USERS = machine('users', 'users:write')
export const APPS = machine('apps', 'applications:write')
export const BRIEF = machine('brief', 'applications:write', 'users:read', 'roles:read')
