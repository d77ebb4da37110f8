import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenOp } from '../../lib/op'
import { caller, machineToken } from '../support/api'
import { type Answer, askToken, type Fields } from '../support/ask'
import { usually } from '../support/databases'
import { authorizeUrl, received } from '../support/flow'
import { type OpenPortal, openPortal } from '../support/in-process'
import { OldBrowser } from '../support/old-browser'

/**
 * The truth table of scope decisions (RFC 6749 §3.3), one row each, at every grant. An access key of an
 * application asks; first everything is open, then each item is closed in its own way, and the
 * token that is asked for afterwards says why.
 */

const APP = 'app_truth'
const KEY = 'ak_truth'
const SECRET = 'ghsk_truth'
const CALLBACK = 'https://truth.test/cb'
const HERE = 'https://t.test'

const ITEMS = [
  't:ok',
  't:user',
  't:nogrant',
  't:keyless',
  't:role',
  't:over',
  't:cond',
  't:ctx',
  't:mfa',
  't:no',
  'c:closed',
  'o:other',
]
const CLOSED_BY: Record<string, object> = {
  't:over': { validUntil: '2020-01-01T00:00:00Z' },
  't:cond': { condition: 'request.grant_type == "carrier_pigeon"' },
  't:ctx': { condition: 'request.context.weather == "fine"' },
  't:mfa': { condition: 'atLeast(auth.acr, "mfa")' },
}

describe.each(usually('sqlite'))('on %s', (kind) => {
  let portal: OpenPortal
  let op: OpenOp
  let alice: OldBrowser

  beforeAll(async () => {
    portal = await openPortal({ kind })
    op = portal.op
    await build(portal, op)
    alice = new OldBrowser(portal.origin)
    await alice.signIn(await alice.open('/login'), portal.demo().users[0] ?? portal.demo().admin)
  })
  afterAll(() => portal.stop())

  const credentials = { client_id: KEY, client_secret: SECRET }
  const token = (fields: Fields) => askToken(portal.origin, { ...credentials, ...fields })

  async function code(scope: string): Promise<string> {
    const request = {
      client_id: KEY,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope,
      state: 's',
    }
    const page = await alice.open(authorizeUrl(request))
    const done = page.url.includes('/consent') ? await alice.submit(page, { scope: ITEMS }) : page
    return received(done).code ?? ''
  }
  const exchange = (value: string) =>
    token({ grant_type: 'authorization_code', code: value, redirect_uri: CALLBACK, resource: HERE })
  const ALL = ITEMS.join(' ')

  /** Each grant: what it gets while everything is open, then what it gets when it is closed. */
  const ways: Record<string, () => Promise<Answer>> = {
    async client_credentials() {
      await close(op)
      const scope = `openid nope:x ${ALL}`
      return token({ grant_type: 'client_credentials', scope, resource: HERE })
    },
    async authorization_code() {
      const value = await code(`openid nope:x ${ALL}`)
      await close(op)
      return exchange(value)
    },
    async refresh_token() {
      const value = await code(`openid offline_access ${ALL}`)
      const first = JSON.parse(
        (await token({ grant_type: 'authorization_code', code: value, redirect_uri: CALLBACK }))
          .body,
      )
      expect(first.scope).toBe(`openid offline_access ${ALL}`)
      await close(op)
      const { refresh_token } = first
      return token({ grant_type: 'refresh_token', refresh_token, resource: HERE })
    },
  }

  type Reason = { scope: string; code: string; acr_values?: string }
  async function outcomes(grant: string): Promise<Map<string, string>> {
    const answer = await ways[grant]?.()
    expect(answer?.status).toBe(200)
    const json = JSON.parse(answer?.body ?? '{}')
    const reasons: Reason[] = json.scope_rejected_reasons
    expect(json.scope_rejected).toBe(reasons.map(({ scope }) => scope).join(' '))
    const mfa = reasons.find(({ code: why }) => why === 'mfa_required')
    if (mfa) expect(mfa.acr_values).toBe('mfa')
    const granted = json.scope.split(' ').map((scope: string) => [scope, 'granted'])
    return new Map([...granted, ...reasons.map(({ scope, code: why }) => [scope, why])])
  }

  const MACHINE = { openid: 'user_required', 't:user': 'user_required' }
  const USER = { openid: 'granted', 't:user': 'granted' }
  const COMMON = {
    't:ok': 'granted',
    'c:closed': 'unknown_scope',
    'o:other': 'resource_mismatch',
    't:nogrant': 'client_not_granted',
    't:keyless': 'key_restricted',
    't:over': 'grant_expired',
    't:cond': 'condition_failed',
    't:ctx': 'context_missing',
  }
  const tables: Record<string, Record<string, string>> = {
    client_credentials: {
      ...COMMON,
      ...MACHINE,
      'nope:x': 'unknown_scope',
      't:role': 'granted', // nobody's role is asked where nobody is
      't:mfa': 'context_missing', // nobody logged in
      't:no': 'granted',
    },
    authorization_code: {
      ...COMMON,
      ...USER,
      'nope:x': 'unknown_scope',
      't:role': 'user_not_permitted',
      't:mfa': 'mfa_required',
      't:no': 'consent_withheld',
    },
    refresh_token: {
      ...COMMON,
      ...USER,
      offline_access: 'granted',
      't:role': 'user_not_permitted',
      't:mfa': 'mfa_required',
      't:no': 'consent_withheld',
    },
  }

  describe.each(Object.keys(tables))('%s', (grant) => {
    let seen: Map<string, string>
    beforeAll(async () => {
      await open(op)
      seen = await outcomes(grant)
    })

    test.each(Object.entries(tables[grant] ?? {}))('%s: %s', (scope, outcome) => {
      expect(seen.get(scope)).toBe(outcome)
    })
    test('and nothing else', () => {
      expect([...seen.keys()].sort()).toEqual(Object.keys(tables[grant] ?? {}).sort())
    })
  })
})

/** An application that may do everything, its key, and items in three APIs. */
async function build(portal: OpenPortal, op: OpenOp): Promise<void> {
  const api = caller(portal, await machineToken(portal))
  await api('POST', '/spaces', { key: 'truth', name: 'Truth' })
  const apis = ['t', 'c', 'o'].map((prefix) => ({
    prefix,
    audience: `https://${prefix}.test`,
    name: prefix.toUpperCase(),
    permissions: ITEMS.filter((key) => key.startsWith(`${prefix}:`)).map((key) => ({
      key,
      userBound: key === 't:user',
      needsRole: key === 't:role',
    })),
  }))
  const roles = [{ key: 'holder', name: 'Holder', permissions: [{ pattern: 't:role' }] }]
  await api('PUT', '/spaces/truth/model', { resources: apis, roles }, { 'if-match': '*' })
  const stamps = { createdAt: new Date(), updatedAt: new Date() }
  await op.changePolicy(async (tx) => {
    await tx.application.create({
      data: {
        id: APP,
        kind: 'web',
        name: 'Truth',
        redirectUris: [CALLBACK],
        postLogoutRedirectUris: [],
        origins: [],
        grantTypes: ['client_credentials', 'authorization_code', 'refresh_token'],
        authMethods: ['client_secret_post'],
        requirePkce: false,
        requiredScopes: [],
        defaultScopes: [],
        branding: {},
        ...stamps,
      },
    })
    await tx.accessKey.create({
      data: {
        id: KEY,
        applicationId: APP,
        name: 'truth',
        secretHash: op.hashSecret(SECRET),
        hint: 'ruth',
        createdAt: new Date(),
      },
    })
  })
}

async function open(op: OpenOp): Promise<void> {
  await arrange(op, ITEMS, {}, null, true)
  await op.db.consent.updateMany({ where: { applicationId: APP }, data: { granted: true } })
}

/** Each item in its own way. */
async function close(op: OpenOp): Promise<void> {
  const granted = ITEMS.filter((item) => item !== 't:nogrant')
  const listed = granted.filter((item) => item !== 't:keyless')
  await arrange(op, granted, CLOSED_BY, listed, false)
  await op.db.consent.updateMany({
    where: { applicationId: APP, scope: 't:no' },
    data: { granted: false },
  })
}

async function arrange(
  op: OpenOp,
  granted: string[],
  terms: Record<string, object>,
  keyScopes: string[] | null,
  isOpen: boolean,
): Promise<void> {
  const stamps = { createdAt: new Date(), updatedAt: new Date() }
  await op.changePolicy(async (tx) => {
    await tx.grant.deleteMany({ where: { applicationId: APP } })
    for (const pattern of granted) {
      await tx.grant.create({
        data: {
          id: `grn_${pattern}`,
          applicationId: APP,
          pattern,
          ...stamps,
          ...dated(terms[pattern] ?? {}),
        },
      })
    }
    const { id: roleId } = await tx.role.findFirstOrThrow({ where: { key: 'holder' } })
    await tx.assignment.deleteMany({ where: { roleId } })
    if (isOpen) {
      await tx.assignment.create({
        data: { id: 'asg_truth', roleId, userId: 'usr_demo_alice', ...stamps },
      })
      await tx.$executeRaw`UPDATE "AccessKey" SET "scopes" = NULL WHERE "id" = ${KEY}`
    } else {
      await tx.accessKey.update({ where: { id: KEY }, data: { scopes: keyScopes ?? [] } })
    }
    await tx.api.updateMany({
      where: { prefix: 'c' },
      data: { disabledAt: isOpen ? null : new Date() },
    })
  })
}

function dated(terms: { validUntil?: string }): object {
  return terms.validUntil ? { validUntil: new Date(terms.validUntil) } : terms
}
