import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { freshConfig } from '../../../e2e/support/fresh-config'
import { shop } from '../../../e2e/support/shop'
import { EVENT } from '../../../e2e/support/store'
import { startSession } from '../../accounts/new-session'
import { applyConfiguration } from '../../api/configuration/apply'
import { configurationSchema } from '../../api/configuration/schema'
import { DAY_MS, HOUR_MS } from '../../base/time'
import { newId } from '../../crypto/secrets'
import { NO_CLAIMS } from '../../oidc/requested-claims'
import { createOp, type OpenOp } from '../../op'
import type { MayGoOn } from './look-for'
import { announcePeriods } from './periods'

const PEOPLE = ['ann', 'ben', 'cem', 'dot', 'eva']

describe.each(usually('sqlite'))('who may no longer use an application on %s', (kind) => {
  let one: OpenOp
  let other: OpenOp
  let time = Date.now()
  const inHours = (hours: number) => new Date(time + hours * HOUR_MS).toISOString()

  beforeAll(async () => {
    const config = await freshConfig(kind)
    const clock = () => new Date(time)
    one = await createOp(config, clock)
    other = await createOp(config, clock)
    const permissions = [{ key: 'orders:read', needsRole: true }, { key: 'orders:news' }]
    const read = [{ pattern: 'orders:read' }]
    await apply({
      spaces: [
        shop(permissions, [
          { key: 'clerk', name: 'Clerk', permissions: read },
          { key: 'reader', name: 'Reader', permissions: [{ pattern: 'orders:news' }] },
          { key: 'barred', name: 'Barred', permissions: [{ ...read[0], effect: 'deny' }] },
          { key: 'suspended', name: 'Suspended', parents: ['barred'] },
        ]),
      ],
      users: PEOPLE.map((username) => ({ username })),
      groups: [{ key: 'staff', name: 'Staff', members: PEOPLE }],
      applications: [
        {
          ...{
            id: 'till',
            kind: 'web',
            name: 'Till',
            grants: read,
            requiredScopes: ['orders:read'],
          },
          redirectUris: ['https://till.test/cb'],
          backchannelLogoutUri: 'https://till.test/logout',
        },
      ],
    })
    await announce()
  })

  afterAll(async () => {
    await one.close()
    await other.close()
  })

  const apply = (more: object) =>
    applyConfiguration(one, configurationSchema.parse({ version: 1, ...more }), {
      env: {},
      dryRun: false,
    })
  const announce = (mayGoOn: MayGoOn = () => true, op = one) => announcePeriods(op, mayGoOn)
  const idOf = async (username: string) => (await one.users.idOf(username)) ?? ''
  const assign = (role: string, id: string, more: object, type = 'user') =>
    apply({ assignments: [{ space: 'shop', role, subject: { type, id }, ...more }] })

  /** As after the exchange of a code, without offline access. */
  async function signIn(username: string, times = 1): Promise<string> {
    const userId = await idOf(username)
    const login = { userId, acr: 'pwd', amr: ['pwd'], ip: null, userAgent: 'test' }
    const { id: sessionId } = await one.write((tx) => startSession(one, tx, login))
    const whose = { applicationId: 'till', accessKeyId: null, userId, sessionId }
    const how = { scopes: ['openid'], resources: [], claims: NO_CLAIMS, acr: 'pwd', amr: ['pwd'] }
    for (let at = 0; at < times; at += 1) {
      const now = one.now()
      const both = { ...whose, ...how, authTime: now, createdAt: now }
      const code = { codeHash: crypto.randomUUID(), redirectUri: 'https://till.test/cb' }
      const proof = { challenge: null, nonce: null, expiresAt: new Date(time + 60_000) }
      expect(await one.codes.save({ ...both, ...code, ...proof }, null, EVENT)).toBe(true)
      const grant = {
        ...both,
        id: newId('tgr'),
        offline: false,
        expiresAt: new Date(time + DAY_MS),
      }
      expect(await one.codes.exchange(code.codeHash, now, grant, null, EVENT)).toBe(true)
    }
    return sessionId
  }

  /** The events, and the messages to the application. */
  async function toldOf(username: string): Promise<[number, number]> {
    const event = { event: 'app.access_ended', targetId: await idOf(username) }
    const told = await one.db.auditEntry.findMany({ where: event })
    const about = told.map(({ detail }) => (detail as { token_grant: string }).token_grant)
    const sent = { kind: 'backchannel_logout', dedupeKey: { in: about } }
    return [told.length, await one.db.outboxMessage.count({ where: sent })]
  }
  const openOf = async (username: string) =>
    one.db.tokenGrant.count({ where: { userId: await idOf(username), revokedAt: null } })

  test('Q100: a role that denies closes what depended on it when its assignment begins', async () => {
    await assign('clerk', 'ann', {})
    await signIn('ann')
    await assign('suspended', 'ann', { validFrom: inHours(1) })
    await announce()
    expect([await toldOf('ann'), await openOf('ann')]).toEqual([[0, 0], 1])
    time += 2 * HOUR_MS
    await announce()
    expect([await toldOf('ann'), await openOf('ann')]).toEqual([[1, 1], 0])
  })

  test('Q101: who signed in days ago is signed out, once for all that they have open there', async () => {
    await assign('clerk', 'ben', { validUntil: inHours(72) })
    await signIn('ben', 3)
    time += 2 * DAY_MS
    await signIn('ben')
    time += 2 * DAY_MS
    await announce()
    expect([await toldOf('ben'), await openOf('ben')]).toEqual([[2, 2], 0])
  })

  test('a role that a required scope does not rest on costs no decision', async () => {
    await assign('clerk', 'cem', {})
    await signIn('cem')
    await assign('reader', 'staff', { validUntil: inHours(1) }, 'group')
    time += 2 * HOUR_MS
    let looks = 0
    const find: OpenOp['consents']['find'] = (...asked) => {
      looks += 1
      return one.consents.find(...asked)
    }
    const watched = { ...one, consents: { ...one.consents, find } }
    expect(await announce(undefined, watched)).toBe(1)
    expect([looks, await openOf('cem')]).toEqual([0, 1])
  })

  test('Q102: a big group does not hold up the ends of others: what was looked at is not looked at again', async () => {
    for (const username of ['ben', 'dot', 'eva']) {
      await assign('clerk', username, { validUntil: inHours(200) })
      await signIn(username)
    }
    await assign('clerk', 'staff', { validUntil: inHours(1) }, 'group')
    await assign('reader', 'dot', { validUntil: inHours(2) })
    time += 3 * HOUR_MS
    const looked: string[] = []
    const find: OpenOp['consents']['find'] = (userId, applicationId) => {
      looked.push(userId)
      return one.consents.find(userId, applicationId)
    }
    /** As if only so many may be looked at. */
    const pass = (most: number) => {
      const until = looked.length + most
      const watched = { ...one, consents: { ...one.consents, find } }
      return announce(() => looked.length < until, watched)
    }
    expect(await pass(2)).toBe(0)
    expect(looked).toHaveLength(2)
    expect(await pass(9)).toBe(2)
    expect([looked.length, new Set(looked).size]).toEqual([4, 4])
    await assign('clerk', 'staff', { validUntil: inHours(1) }, 'group')
    time += 2 * HOUR_MS
    expect(await pass(9)).toBe(1)
    expect(looked).toHaveLength(8)
  })

  test('Q103: a clock that is ahead for a while hides no end', async () => {
    const ended = () => one.db.auditEntry.count({ where: { event: 'assignment.ended' } })
    const before = await ended()
    await assign('reader', 'eva', { validUntil: inHours(1) })
    await assign('reader', 'dot', { validUntil: inHours(2) })
    time += 5 * HOUR_MS
    await announce()
    time -= 2 * HOUR_MS
    await assign('reader', 'cem', { validUntil: inHours(1) })
    time += 3 * HOUR_MS
    await announce()
    expect(await ended()).toBe(before + 3)
  })
})
