import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import { NO_CLAIMS } from '../oidc/requested-claims'
import { createOp, type OpenOp } from '../op'
import { readConfig } from '../settings/config'
import { endSessionsOf } from '../store/accounts/sessions'
import { createUser, setPassword, updateUser } from '../store/accounts/users'
import type { Transaction } from '../store/database/connection'
import { type Queries, sqlOf } from '../store/database/database'
import { createGrant } from '../store/tokens/token-grants'
import { startSession } from './new-session'
import { hashPassword } from './passwords'
import { signInWithPassword } from './sign-in'
import { signOutEverywhere } from './sign-out-everywhere'

/** Who comes in, or gets a token, while somebody shuts the door: nothing may slip through it. */

const PASSWORD = 'correct horse battery staple'
const FROM = { ip: null, userAgent: 'a browser' }
const SYSTEM = { actorKind: 'system', actorId: null, detail: {} } as const
const EVENT = { event: 'code.issued', result: 'success', ...SYSTEM } as const
const DOOR_MS = 300

describe.each(KINDS)('at the same time, on %s', (kind) => {
  let portal: OpenOp
  let applicationId: string

  beforeAll(async () => {
    const DATABASE_URL = await freshDatabase[kind]()
    const env = { DATABASE_URL, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }
    portal = await createOp(readConfig(env))
    applicationId = 'app_x'
    const lists = { branding: {}, redirectUris: [], postLogoutRedirectUris: [], origins: [] }
    const more = { grantTypes: [], authMethods: [], requiredScopes: [], defaultScopes: [] }
    const stamps = { createdAt: portal.now(), updatedAt: portal.now() }
    const uri = { backchannelLogoutUri: 'https://app.example/logout' }
    await portal.db.application.create({
      data: { id: applicationId, kind: 'web', name: 'X', ...lists, ...more, ...stamps, ...uri },
    })
  })
  afterAll(() => portal.close())

  async function somebody() {
    const email = `${crypto.randomUUID()}@example.com`
    const passwordHash = await hashPassword(PASSWORD)
    const user = { name: 'Ann', email, emailVerified: true, adminRole: null, passwordHash }
    const id = await portal.write((tx) => createUser(tx, user, portal.now()))
    return { id, email }
  }

  async function sessionOf(userId: string): Promise<string> {
    const login = { userId, acr: 'pwd', amr: ['pwd'], ...FROM }
    return (await portal.write((tx) => startSession(portal, tx, login))).id
  }

  const authorization = (userId: string, sessionId: string) => ({
    applicationId,
    accessKeyId: null,
    userId,
    sessionId,
    scopes: ['openid'],
    resources: [],
    ...{
      claims: NO_CLAIMS,
      authTime: portal.now(),
      acr: 'pwd',
      amr: ['pwd'],
      createdAt: portal.now(),
    },
  })

  function codeOf(userId: string, sessionId: string) {
    const codeHash = crypto.randomUUID()
    const expiresAt = new Date(Date.now() + 60_000)
    const rest = { redirectUri: 'https://app.example/', challenge: null, nonce: null, expiresAt }
    return { codeHash, ...authorization(userId, sessionId), ...rest }
  }

  /** Does this, and commits it a while later. */
  function slowly(work: (tx: Queries & Transaction) => Promise<unknown>): Promise<void> {
    return portal.write(async (tx) => {
      await work(tx)
      await sleep(DOOR_MS)
    })
  }

  /** Runs `late` while `first` has been done and is not committed. */
  async function during<T>(first: Promise<unknown>, late: () => Promise<T>): Promise<T> {
    await sleep(DOOR_MS / 3)
    const result = await late()
    await first
    return result
  }

  const signIn = (email: string) =>
    signInWithPassword(portal, { identifier: email, password: PASSWORD }, FROM)
  const openSessions = (userId: string) =>
    portal.db.session.count({ where: { userId, endedAt: null } })

  test('whoever signs in with the old password while a new one is set is not in', async () => {
    const { id, email } = await somebody()
    const hash = await hashPassword('another horse, another staple')
    const reset = slowly(async (tx) => {
      await tx.user.updateMany({ where: { id }, data: { emailVerified: true } })
      await setPassword(tx, id, hash, portal.now())
      await signOutEverywhere(portal, tx, id, 'password_reset')
    })
    const result = await during(reset, () => signIn(email))
    expect(result).toEqual({ ok: false, problem: 'mismatch' })
    expect(await openSessions(id)).toBe(0)
  })

  test('whoever signs in while they are disabled is not in', async () => {
    const { id, email } = await somebody()
    const disabling = slowly(async (tx) => {
      await updateUser(tx, { id, version: 1 }, { disabledAt: portal.now() }, portal.now())
      await signOutEverywhere(portal, tx, id, 'user_disabled')
    })
    expect(await during(disabling, () => signIn(email))).toEqual({ ok: false, problem: 'mismatch' })
    expect(await openSessions(id)).toBe(0)
  })

  test('no code is given in a session that is being ended', async () => {
    const { id } = await somebody()
    const sessionId = await sessionOf(id)
    const ending = slowly((tx) => signOutEverywhere(portal, tx, id, 'password_reset'))
    const code = codeOf(id, sessionId)
    expect(await during(ending, () => portal.codes.save(code, null, EVENT))).toBe(false)
    expect(await portal.codes.find(code.codeHash)).toBeNull()
  })

  test('a code that is being exchanged when everything is revoked leaves nothing alive', async () => {
    const { id } = await somebody()
    const sessionId = await sessionOf(id)
    const code = codeOf(id, sessionId)
    await portal.codes.save(code, null, EVENT)
    const grantId = `tgr_${crypto.randomUUID()}`
    const expiresAt = new Date(Date.now() + 60_000)
    const exchanging = slowly(async (tx) => {
      const data = { usedAt: portal.now(), tokenGrantId: grantId }
      await tx.authorizationCode.update({ where: { codeHash: code.codeHash }, data })
      const given = { ...authorization(id, sessionId), claims: [] }
      await tx.tokenGrant.create({ data: { id: grantId, ...given, offline: true, expiresAt } })
    })
    await during(exchanging, () =>
      portal.write((tx) => signOutEverywhere(portal, tx, id, 'password_reset')),
    )
    const grant = await portal.db.tokenGrant.findUnique({ where: { id: grantId } })
    expect(grant?.revokedReason).toBe('password_reset')
  })

  test('of two who end the same sessions, one ends each, and applications are told once', async () => {
    const { id } = await somebody()
    const sessionId = await sessionOf(id)
    const expiresAt = new Date(Date.now() + 60_000)
    const grant = { id: `tgr_${crypto.randomUUID()}`, ...authorization(id, sessionId), expiresAt }
    await sqlOf(portal.db).audited({
      steps: [createGrant({ ...grant, offline: true })],
      events: [],
    })
    const first = slowly((tx) => signOutEverywhere(portal, tx, id, 'x'))
    await during(first, () => portal.write((tx) => signOutEverywhere(portal, tx, id, 'y')))
    const told = { dedupeKey: `${sessionId} ${applicationId}` }
    expect(await portal.db.outboxMessage.count({ where: told })).toBe(1)
    expect(await portal.write((tx) => endSessionsOf(tx, id, portal.now()))).toEqual([])
  })
})
