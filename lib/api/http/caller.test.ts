import { describe, expect, test } from 'vitest'
import { problemIn } from '../../../e2e/support/problem-in'
import { incoming } from '../../../e2e/support/protocol'
import { ADMIN_ROLES } from '../../access/authority'
import { PORTAL_SCOPE_NAMES, type PortalScope } from '../../access/portal-api'
import type { Op } from '../../context/op'
import {
  actorOf,
  type Caller,
  OPERATOR,
  requireScopes,
  scopesOf,
  userCaller,
  userScopes,
  wantedOf,
} from './caller'
import { isProblem } from './problem'

/** Who may do what, by their admin role and by their token. */

// Nothing else of the portal is named in a refusal.
const OP = { origin: 'https://id.example', issuer: 'https://id.example' } as Op
const AUDIENCE = 'https://id.example/api/v1'

function machine(
  held: PortalScope[],
  lost: PortalScope[] = [],
  more: Partial<Caller> = {},
): Caller {
  const about = { kind: 'client', id: 'app_1', adminRole: null, ownOnly: false } as const
  return { ...about, through: null, scopes: new Set(held), lost: new Set(lost), ...more }
}

describe('an admin role', () => {
  test('of an owner includes everything but asking for access, which everybody has', () => {
    const missing = PORTAL_SCOPE_NAMES.filter((scope) => !scopesOf('owner').has(scope))
    expect(missing).toEqual(['permissions:request'])
    expect([...userScopes('owner')].sort()).toEqual([...PORTAL_SCOPE_NAMES].sort())
  })

  test('below an owner includes neither the sign-in settings nor written mail', () => {
    for (const role of ['admin', 'auditor', 'app_manager'] as const) {
      const held = scopesOf(role)
      expect([role, held.has('sign-in:write'), held.has('outbox:read')]).toEqual([
        role,
        false,
        false,
      ])
    }
  })

  test('of an auditor changes nothing', () => {
    expect([...scopesOf('auditor')].filter((scope) => scope.endsWith(':write'))).toEqual([])
    expect(scopesOf('auditor').has('audit:read')).toBe(true)
  })

  test('of an app manager reads neither users nor the audit log, and counts for their own only', () => {
    const held = scopesOf('app_manager')
    const denied: PortalScope[] = ['users:read', 'audit:read', 'settings:read', 'resources:write']
    expect(denied.filter((scope) => held.has(scope))).toEqual([])
    const own = ADMIN_ROLES.filter((role) => userCaller('usr_1', role).ownOnly)
    expect(own).toEqual(['app_manager'])
  })

  test('that somebody does not have leaves them with asking for access', () => {
    expect([...scopesOf(null)]).toEqual([])
    expect([...userScopes(null)]).toEqual(['permissions:request'])
    expect(userCaller('usr_1', null).ownOnly).toBe(false)
  })
})

describe('a scope that a call needs', () => {
  const needed = (caller: Caller, ...scopes: PortalScope[]) =>
    problemIn(() => requireScopes(OP, caller, scopes))

  test('is there, or the refusal names it', async () => {
    const reader = machine(['users:read'])
    expect(await needed(reader, 'users:read')).toBe('not refused')
    expect(await needed(reader, 'users:read', 'users:write')).toBe('forbidden scope_needed')
    expect(await needed(OPERATOR, ...PORTAL_SCOPE_NAMES)).toBe('not refused')
  })

  test('RFC 6750 §3.1: a token that never had it is 403 with the scope to ask for', () => {
    const { code, challenge } = refusalOf(machine(['users:read']), 'users:write')
    expect(code).toBe('forbidden')
    expect(challenge).toContain('error="insufficient_scope", scope="users:write"')
    expect(challenge).toContain(
      'resource_metadata="https://id.example/.well-known/oauth-protected-resource/api/v1"',
    )
  })

  test('Q5: a token that has it, of a caller who holds it no longer, is not valid any more', () => {
    const { code, challenge } = refusalOf(machine([], ['users:write']), 'users:write')
    expect(code).toBe('invalid_token')
    expect(challenge).toContain('error="invalid_token"')
    expect(challenge).not.toContain('scope=')
  })

  test('is asked for at the address that the token is for', () => {
    const audience = 'https://id.example/mcp'
    const { challenge } = refusalOf(machine([], [], { audience }), 'users:write')
    expect(challenge).toContain('/.well-known/oauth-protected-resource/mcp"')
    expect(challenge).not.toContain(AUDIENCE)
  })
})

function refusalOf(caller: Caller, scope: PortalScope) {
  try {
    requireScopes(OP, caller, [scope])
  } catch (error) {
    if (!isProblem(error)) throw error
    return { code: error.code, challenge: error.options.headers?.['WWW-Authenticate'] ?? '' }
  }
  throw new Error('not refused')
}

test('the audit log knows who called from where, and not what they may', () => {
  const caller = userCaller('usr_1', 'admin')
  expect(actorOf({ caller, incoming: incoming({}, '203.0.113.7') })).toEqual({
    actorKind: 'user',
    actorId: 'usr_1',
    ip: '203.0.113.7',
    requestId: 'req',
  })
})

test('what is read about a caller is the user and the client of the token, and nobody else', () => {
  const through = { clientId: 'ak_1' } as Caller['through']
  expect(wantedOf(userCaller('usr_1', null))).toEqual({ users: ['usr_1'], clients: [] })
  expect(wantedOf({ ...userCaller('usr_1', null), through })).toEqual({
    users: ['usr_1'],
    clients: ['ak_1'],
  })
  expect(wantedOf(machine([], [], { through }))).toEqual({ users: [], clients: ['ak_1'] })
  expect(wantedOf(OPERATOR)).toEqual({ users: [], clients: [] })
})
