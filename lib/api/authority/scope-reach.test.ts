import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  ALWAYS,
  type Authority,
  type GovernedApi,
  missingFor,
  type Privilege,
  roleHolds,
  type ScopePrivilege,
} from '../../access/authority'
import { PORTAL_SCOPE_NAMES, type PortalScope } from '../../access/portal-api'
import { everywhere } from '../../i18n/compiled/everywhere'
import { writes } from '../http/operation'
import { routes } from '../table'
import { WEBHOOK_PRIVILEGE } from './privileges'

/**
 * What an application reaches that holds one scope of the portal and no other, as the rule of
 * authority says: the table of docs/security.md is made from it.
 */

/** An operation is named if it asks for other scopes beside its own. */
type Power = {
  by: PortalScope
  does: string
  gives: readonly Privilege[]
  operations?: readonly string[]
}

const API: GovernedApi = { id: 'api', prefix: 'orders', openToAppManagers: false }
const granted = (scope: string, api: GovernedApi | null): ScopePrivilege => ({
  ...ALWAYS,
  scope,
  api,
  ordinary: false,
  at: null,
})
const apis: Privilege = { gives: 'apis', apis: [API] }
const scopes = (...all: PortalScope[]): Privilege => ({ gives: 'scopes', scopes: all })
const ofRole = (role: 'admin' | 'owner') =>
  PORTAL_SCOPE_NAMES.filter((scope) => roleHolds(role, scope))
const account = (role: 'admin' | 'owner'): Privilege => ({
  gives: 'account',
  scopes: ofRole(role),
  apis: [],
})
const grants: Privilege = { gives: 'grants', grants: [granted('orders:refund', API)] }
const ofPortal = (scope: PortalScope): Privilege => ({
  gives: 'grants',
  grants: [granted(scope, null)],
})

const POWERS: readonly Power[] = [
  { by: 'spaces:write', does: 'make and change spaces', gives: [] },
  {
    by: 'spaces:write',
    does: 'delete a space with its roles and APIs, or import its model',
    gives: [],
    operations: ['deleteSpace', 'importModel'],
  },
  {
    by: 'spaces:write',
    does: 'the same, if an application gains something by it',
    gives: [grants],
    operations: ['deleteSpace', 'importModel'],
  },
  { by: 'resources:write', does: 'change and delete APIs, and name their owners', gives: [] },
  {
    by: 'resources:write',
    does: 'govern every API: with another scope, all for which this table asks authority over an API',
    gives: [apis, grants],
  },
  { by: 'permissions:write', does: 'change permissions, also which are sensitive', gives: [] },
  { by: 'roles:write', does: 'change what people may do by the roles that they hold', gives: [] },
  { by: 'roles:write', does: 'change what applications may do by their roles', gives: [grants] },
  {
    by: 'roles:write',
    does: 'put a role that people hold below one that approves or reviews',
    gives: [apis],
  },
  { by: 'assignments:write', does: 'give people any role that decides about nothing', gives: [] },
  { by: 'assignments:write', does: 'end what people were given, by roles or requests', gives: [] },
  { by: 'assignments:write', does: 'give a role that approves or reviews', gives: [apis] },
  {
    by: 'assignments:write',
    does: 'give an application a role with permissions of an API',
    gives: [grants],
  },
  { by: 'applications:write', does: 'make applications, and change and delete them', gives: [] },
  {
    by: 'applications:write',
    does: 'give an application this scope itself',
    gives: [ofPortal('applications:write')],
  },
  {
    by: 'applications:write',
    does: 'act as an application that holds permissions of an API, or grant them',
    gives: [grants],
  },
  {
    by: 'applications:write',
    does: 'act as an application that holds a scope of the portal such as `audit:read`, or grant it',
    gives: [ofPortal('audit:read')],
  },
  {
    by: 'applications:write',
    does: 'say who may ask for access, and who approves it',
    gives: [apis],
  },
  {
    by: 'users:write',
    does: 'create, change, invite, disable and delete people, and sign in as them, if they hold and decide about nothing',
    gives: [],
  },
  {
    by: 'users:write',
    does: 'disable and delete people who hold roles or approve, and write attributes that conditions read',
    gives: [],
  },
  {
    by: 'users:write',
    does: 'sign in as somebody with roles',
    gives: [scopes('assignments:write')],
  },
  {
    by: 'users:write',
    does: 'sign in as, let into the group of, or name as manager somebody who approves, opens in an emergency or owns an API; write what a rule approves at once',
    gives: [apis],
  },
  {
    by: 'users:write',
    does: 'sign in as, or let into the group of, a reviewer of assignments, of roles and of applications',
    gives: [scopes('assignments:write', 'roles:write', 'applications:write')],
  },
  {
    by: 'users:write',
    does: 'let somebody into a group that holds roles',
    gives: [scopes('assignments:write')],
  },
  {
    by: 'users:write',
    does: 'make somebody an admin',
    gives: [{ gives: 'admin_role', scopes: ofRole('admin') }],
  },
  { by: 'users:write', does: 'change, sign in as, or disable an admin', gives: [account('admin')] },
  { by: 'users:write', does: 'change, sign in as, or disable an owner', gives: [account('owner')] },
  { by: 'outbox:write', does: 'hold back mail, webhooks and logouts', gives: [] },
  {
    by: 'settings:write',
    does: 'change how long sessions last, how long passwords are, the name and the looks',
    gives: [],
  },
  { by: 'settings:write', does: 'let anybody create an account', gives: [scopes('users:write')] },
  {
    by: 'settings:write',
    does: 'let admins in without a second factor',
    gives: [scopes('admin-roles:write')],
  },
  {
    by: 'users:impersonate',
    does: 'see which admins are in the account of a user, and end it; nobody opens an account by the API',
    gives: [],
  },
  {
    by: 'settings:write',
    does: 'let admins see the portal as a user, or change more there',
    gives: [scopes('users:impersonate')],
  },
  {
    by: 'settings:write',
    does: 'let clients register that get permissions of an API',
    gives: [grants],
  },
  { by: 'settings:write', does: 'set the mail server', gives: [scopes('sign-in:write')] },
  {
    by: 'sign-in:write',
    does: 'set the mail server and the sign-in providers, and so sign in as anybody, owners too',
    gives: [],
  },
  { by: 'webhooks:write', does: 'delete webhooks, and send again what they were sent', gives: [] },
  {
    by: 'webhooks:write',
    does: 'send the events of the audit log to an address',
    gives: WEBHOOK_PRIVILEGE,
  },
  { by: 'signing-keys:write', does: 'revoke the keys, so that every token is void', gives: [] },
]

/** Read scopes that show more than their name says. */
const SHOWS: Partial<Record<PortalScope, string>> = {
  'outbox:read': 'read mail with links that open accounts, also of owners',
  'audit:read': 'read names, addresses and IP addresses of everybody',
  'webhooks:read': 'read what was sent to webhooks, with `audit:read`',
  'permissions:request': 'ask for access; an application decides about nothing',
  'admin-roles:write': 'nothing alone: with `users:write` and the scopes of a role, give that role',
}

function machineWith(...held: PortalScope[]): Authority {
  const who = { kind: 'client', id: 'app', inPerson: false, adminRole: null } as const
  const holds = (scope: string) => (held.some((one) => one === scope) ? [[ALWAYS]] : null)
  return { ...who, holds, ownsApis: new Set() }
}

const A_FEW = 4

function needs({ by, gives, operations = [] }: Power): string | null {
  const missing = missingFor(machineWith(by), gives).map(({ what }) => what)
  const words = [...new Set([...operations.flatMap(alsoOf), ...missing].map(wordsFor))]
  if (words.length === 0) return null
  if (words.length <= A_FEW) return words.join(', ')
  const own = gives.some((one) => 'scopes' in one && one.scopes.includes('sign-in:write'))
  return own ? 'every scope of an owner' : 'every scope of an admin'
}

function alsoOf(operation: string): readonly PortalScope[] {
  return routes.find(({ id }) => id === operation)?.also ?? []
}

function wordsFor(what: string): string {
  return what.startsWith('orders:') ? 'authority over the API' : `\`${what}\``
}

function rowOf(scope: PortalScope): string {
  const powers = POWERS.filter(({ by }) => by === scope).map((power) => ({
    ...power,
    needs: needs(power),
  }))
  const alone = powers.filter((power) => power.needs === null).map(({ does }) => does)
  const more = powers.flatMap((power) =>
    power.needs === null ? [] : [`${power.does}: ${power.needs}`],
  )
  const said = SHOWS[scope] ? [SHOWS[scope]] : alone
  const reads = everywhere.en.portalScopes[scope]
  const first = said.length > 0 ? said.join('; ') : lower(reads)
  return `| \`${scope}\` | ${first} | ${more.join('; ')} |`
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

test('docs/security.md says what each scope of the portal reaches; `npx vitest -u` writes it', async () => {
  const head = '| scope | alone it lets an application | with more than it |\n| --- | --- | --- |\n'
  const page = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8')
  const [before = '', after = ''] = page.split(head)
  const [, rest = ''] = /^(?:\|.*\|\n)*([\s\S]*)$/.exec(after) ?? []
  const rows = PORTAL_SCOPE_NAMES.map(rowOf)
  const written = `${before}${head}${rows.join('\n')}\n${rest}`
  await expect(written).toMatchFileSnapshot('../../../docs/security.md')
})

test('every scope that changes something is in it with what it reaches', () => {
  const changing = new Set(routes.filter(writes).map(({ scope }) => scope))
  const told = new Set(POWERS.map(({ by }) => by))
  expect([...changing].filter((scope) => scope !== 'public' && !told.has(scope))).toEqual([])
})

test('every change that asks for a second scope is in it', () => {
  const asking = routes.filter((route) => writes(route) && route.also.length > 0)
  const told = new Set(POWERS.flatMap(({ operations = [] }) => operations))
  expect(asking.map(({ id }) => id).filter((id) => !told.has(id))).toEqual([])
})

test('no scope alone makes an admin, governs APIs that it is not about, or gives another scope', () => {
  const governing = POWERS.filter(({ gives }) => gives.includes(apis) || gives.includes(grants))
  expect(governing.filter((power) => needs(power) === null).map(({ by }) => by)).toEqual([
    'resources:write',
  ])
  for (const scope of PORTAL_SCOPE_NAMES) {
    const other = PORTAL_SCOPE_NAMES.filter((one) => one !== scope).map(ofPortal)
    expect(missingFor(machineWith(scope), other)).toHaveLength(other.length)
  }
})
