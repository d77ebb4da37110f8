import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, usually } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import { createOp, type OpenOp } from '../op'
import { readConfig } from '../settings/config'
import { findSessionProof, type Session } from '../store/accounts/sessions'
import { createUser } from '../store/accounts/users'
import { migrate } from '../store/operations/migrations'
import { listActivity } from './activity'
import {
  beginEnrolment,
  finishEnrolment,
  listAuthenticators,
  openEnrolment,
  removeAuthenticator,
} from './authenticators'
import { changePassword } from './change-password'
import {
  confirmWithCode,
  confirmWithPassword,
  hasJustUsedFactor,
  hasProvenFactors,
  isConfirmed,
} from './confirm'
import { chooseScopes, listConnectedApps, removeApp } from './connected-apps'
import { startSession } from './new-session'
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions'
import { hashPassword } from './passwords'
import { ownProfile, type ProfileFields, saveProfile } from './profile'
import { newRecoveryCodes, recoveryCodesLeft } from './recovery-codes'
import { factorProof } from './second-factor'
import { signInWithPassword } from './sign-in'
import { stepUp } from './step-up'

const PASSWORD = 'correct horse battery staple'
const NEXT = 'seven quiet herons by the weir'
const STEP_MS = 30_000
const origin = { ip: '127.0.0.1', userAgent: 'test' }

describe.each(usually('sqlite'))('a person’s own account on %s', (kind) => {
  let portal: OpenOp
  let passwordHash = ''

  beforeAll(async () => {
    const url = await freshDatabase[kind]()
    await migrate(url)
    portal = await createOp(
      readConfig({ DATABASE_URL: url, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }),
    )
    passwordHash = await hashPassword(PASSWORD)
  })

  afterAll(() => portal.close())

  type Who = { userId: string; email: string }

  async function newPerson(): Promise<Who> {
    const email = `${crypto.randomUUID()}@example.org`
    const person = { name: 'Ann', email, emailVerified: true, adminRole: null, passwordHash }
    const profile = { phone_number: '+41 44 000 00 00', phone_number_verified: true, picture: 'p' }
    const userId = await portal.write((tx) => createUser(tx, { ...person, profile }, portal.now()))
    return { userId, email }
  }

  async function signedIn({ userId }: Who): Promise<Session & { secret: string }> {
    const login = { userId, acr: 'pwd', amr: ['pwd'], ...origin }
    const { secret } = await portal.write((tx) => startSession(portal, tx, login))
    const session = await portal.sessions.find(portal.hashSecret(secret), portal.now())
    if (!session) throw new Error('no session')
    return { ...session, secret }
  }

  const isOpen = async (secret: string) =>
    (await portal.sessions.find(portal.hashSecret(secret), portal.now())) !== null

  async function stepUpWith(session: Session, typed: { code?: string; recovery?: string }) {
    const all = { code: '', recovery: '', passkey: '', ...typed }
    const proof = await factorProof(portal, session.user.id, all, origin)
    if (!proof) throw new Error('nothing was typed')
    return stepUp(portal, session, proof, origin)
  }

  async function withApp(session: Session): Promise<TOTP> {
    const id = (await beginEnrolment(portal, session)) ?? ''
    const { secret = '' } = (await openEnrolment(portal, session, id)) ?? {}
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const typed = { id, name: 'Phone', code: totp.generate({ timestamp: Date.now() - 30_000 }) }
    expect(await finishEnrolment(portal, session, typed, origin)).toMatchObject({ ok: true })
    return totp
  }

  async function withCodes(session: Session): Promise<string[]> {
    await withApp(session)
    return (await newRecoveryCodes(portal, session, origin))?.codes ?? []
  }

  async function consented(who: Who, scopes: string[]): Promise<string> {
    const id = `app_${crypto.randomUUID()}`
    const lists = ['redirectUris', 'postLogoutRedirectUris', 'origins', 'grantTypes'] as const
    const empty = Object.fromEntries(lists.map((name) => [name, []]))
    await portal.db.application.create({
      data: {
        id,
        name: id,
        kind: 'web',
        branding: {},
        authMethods: [],
        defaultScopes: [],
        ...(empty as Record<(typeof lists)[number], []>),
        requiredScopes: ['orders:read'],
        createdAt: portal.now(),
        updatedAt: portal.now(),
      },
    })
    await portal.db.consent.createMany({
      data: scopes.map((scope) => ({
        userId: who.userId,
        applicationId: id,
        scope,
        granted: true,
        decidedAt: portal.now(),
      })),
    })
    return id
  }

  const grant = (applicationId: string, { id, user }: Session) => ({
    id: `tgr_${id}`,
    applicationId,
    userId: user.id,
    sessionId: id,
    offline: true,
    scopes: [],
    resources: [],
    acr: 'pwd',
    amr: [],
    authTime: portal.now(),
    createdAt: portal.now(),
    expiresAt: new Date(portal.now().getTime() + 60_000),
  })

  const answers = async (applicationId: string) => {
    const rows = await portal.db.consent.findMany({ where: { applicationId } })
    return Object.fromEntries(rows.map(({ scope, granted }) => [scope, granted]))
  }

  test('800-63B-4: with a second factor eight characters do, without one fifteen', async () => {
    const session = await signedIn(await newPerson())
    const change = (next: string, current = PASSWORD) =>
      changePassword(portal, session, { current, next }, origin)
    expect(await change('gf7-weir')).toEqual({ ok: false, problem: 'password_short' })
    expect(await change(`${session.user.email}`)).toEqual({ ok: false, problem: 'password_own' })
    await withApp(session)
    expect(await change('gf7-weir')).toMatchObject({ ok: true })
  })

  test('M6: of five parallel uses of one recovery code one wins', async () => {
    const who = await newPerson()
    const codes = await withCodes(await signedIn(who))
    expect(new Set(codes).size).toBe(10)
    const sessions = await Promise.all(Array.from({ length: 5 }, () => signedIn(who)))
    const [code = ''] = codes
    const results = await Promise.all(
      sessions.map((session) => stepUpWith(session, { recovery: code })),
    )
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await recoveryCodesLeft(portal, sessions[0] as Session)).toBe(9)
  })

  test('a step-up with a code confirms who one is; a recovery code does not', async () => {
    const who = await newPerson()
    const first = await signedIn(who)
    const app = await withApp(first)
    const [recovery = ''] = (await newRecoveryCodes(portal, first, origin))?.codes ?? []
    const confirmedAfter = async (typed: { code?: string; recovery?: string }) => {
      const raised = await stepUpWith(await signedIn(who), typed)
      if (!raised.ok) throw new Error(raised.problem)
      const hash = portal.hashSecret(raised.started.secret)
      return (await portal.sessions.find(hash, portal.now()))?.confirmedAt
    }
    expect(await confirmedAfter({ code: app.generate() })).toBeInstanceOf(Date)
    expect(await confirmedAfter({ recovery })).toBeNull()
    const entries = await portal.db.auditEntry.findMany({
      where: { event: 'login.second_factor', actorId: who.userId },
      orderBy: { seq: 'asc' },
    })
    const details = entries.map(({ detail }) => detail)
    expect(details).toEqual([{ method: 'totp', confirmed: true }, { method: 'recovery_code' }])
  })

  test('M6: app codes and recovery codes have five tries each; the sixth is not looked at', async () => {
    const who = await newPerson()
    const session = await signedIn(who)
    const [code = '', other = ''] = await withCodes(session)
    const wrong = { ok: false, problem: 'wrong' }
    for (let time = 0; time < 5; time += 1) {
      expect(await stepUpWith(session, { code: '000000' })).toEqual(wrong)
    }
    expect(await stepUpWith(session, { code: '000000' })).toMatchObject({ problem: 'slow_down' })
    // They cannot be guessed, so they are the way in for whose codes are locked.
    expect(await stepUpWith(session, { recovery: code })).toMatchObject({ ok: true })
    for (let time = 0; time < 5; time += 1) {
      expect(await stepUpWith(session, { recovery: 'aaaa-bbbb-cccc' })).toEqual(wrong)
    }
    expect(await stepUpWith(session, { recovery: other })).toMatchObject({ problem: 'slow_down' })
  })

  test('a recovery code is its own user’s, however it is typed, and only while it is new', async () => {
    const [ann, bob] = [await newPerson(), await newPerson()]
    const session = await signedIn(ann)
    const [code = '', other = ''] = await withCodes(session)
    const another = await signedIn(bob)
    expect((await stepUpWith(another, { recovery: code })).ok).toBe(false)
    const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `
    expect((await stepUpWith(await signedIn(ann), { recovery: typed })).ok).toBe(true)
    await newRecoveryCodes(portal, session, origin)
    expect((await stepUpWith(await signedIn(ann), { recovery: other })).ok).toBe(false)
    const stored = await portal.db.recoveryCode.findMany({ where: { userId: ann.userId } })
    expect(stored).toHaveLength(10)
    expect(JSON.stringify(stored)).not.toContain(code.replaceAll('-', ''))
  })

  test('there are no recovery codes without an app, and none after the last one is gone', async () => {
    const session = await signedIn(await newPerson())
    expect(await newRecoveryCodes(portal, session, origin)).toBeNull()
    await withCodes(session)
    const [app] = await listAuthenticators(portal, session)
    expect(await removeAuthenticator(portal, session, app?.id ?? '', origin)).not.toBeNull()
    expect(await recoveryCodesLeft(portal, session)).toBe(0)
  })

  test('M9: an added factor, a removed one and new codes each change the secret', async () => {
    const who = await newPerson()
    const session = await signedIn(who)
    await withApp(session)
    expect(await isOpen(session.secret)).toBe(false)
    const made = await newRecoveryCodes(portal, session, origin)
    expect(await isOpen(made?.started.secret ?? '')).toBe(true)
    const [app] = await listAuthenticators(portal, session)
    const started = await removeAuthenticator(portal, session, app?.id ?? '', origin)
    expect(await isOpen(made?.started.secret ?? '')).toBe(false)
    expect(await isOpen(started?.secret ?? '')).toBe(true)
  })

  test('N2: nothing of somebody else’s can be seen, confirmed, ended or removed', async () => {
    const [ann, eve] = [await newPerson(), await newPerson()]
    const [session, attacker] = [await signedIn(ann), await signedIn(eve)]
    const appId = await consented(ann, ['orders:write'])
    const open = (await beginEnrolment(portal, session)) ?? ''
    expect(await openEnrolment(portal, attacker, open)).toBeNull()
    const typed = { id: open, name: '', code: '000000' }
    expect(await finishEnrolment(portal, attacker, typed, origin)).toMatchObject({
      problem: 'expired',
    })
    const other = await signedIn(ann)
    await withApp(other)
    const [app] = await listAuthenticators(portal, session)
    expect(await removeAuthenticator(portal, attacker, app?.id ?? '', origin)).toBeNull()
    expect(await endOwnSession(portal, attacker, session.id, origin)).toBe(false)
    await endOtherSessions(portal, attacker, origin)
    expect(await isOpen(session.secret)).toBe(true)
    const choice = { applicationId: appId, ticked: [] }
    expect(await chooseScopes(portal, attacker, choice, origin)).toBe(false)
    expect(await removeApp(portal, attacker, appId, origin)).toBe(false)
    expect(await answers(appId)).toEqual({ 'orders:write': true })
    expect(await listConnectedApps(portal, attacker)).toEqual([])
    expect((await listOwnSessions(portal, attacker)).map(({ id }) => id)).toEqual([attacker.id])
    const seen = await listActivity(portal, attacker, ['factor.added', 'sessions.ended'], null)
    expect(seen.entries.map(({ event }) => event)).toEqual(['sessions.ended'])
  })

  test('M12: one other session ends, then all others; this one stays', async () => {
    const who = await newPerson()
    const [here, second, third] = [await signedIn(who), await signedIn(who), await signedIn(who)]
    expect(await endOwnSession(portal, here, second.id, origin)).toBe(true)
    expect(await endOwnSession(portal, here, second.id, origin)).toBe(false)
    expect(await isOpen(second.secret)).toBe(false)
    expect(await isOpen(third.secret)).toBe(true)
    await endOtherSessions(portal, here, origin)
    expect(await isOpen(third.secret)).toBe(false)
    expect(await isOpen(here.secret)).toBe(true)
  })

  test('a new password needs the old one, ends every other session and rotates this one', async () => {
    const who = await newPerson()
    const [here, there] = [await signedIn(who), await signedIn(who)]
    const applicationId = await consented(who, ['orders:write'])
    await portal.db.tokenGrant.createMany({
      data: [here, there].map((session) => grant(applicationId, session)),
    })
    const change = (current: string, next: string) =>
      changePassword(portal, here, { current, next }, origin)
    expect(await change('not the password', NEXT)).toEqual({ ok: false, problem: 'current_wrong' })
    expect(await change(PASSWORD, 'short')).toEqual({ ok: false, problem: 'password_short' })
    expect(await change(PASSWORD, PASSWORD)).toEqual({ ok: false, problem: 'same' })
    const results = await Promise.all([change(PASSWORD, NEXT), change(PASSWORD, `${NEXT}!`)])
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await isOpen(here.secret)).toBe(false)
    expect(await isOpen(there.secret)).toBe(false)
    const rows = await portal.db.tokenGrant.findMany({ where: { userId: who.userId } })
    const alive = rows.filter(({ revokedAt }) => revokedAt === null)
    expect(alive.map(({ sessionId }) => sessionId)).toEqual([here.id])
    const old = { identifier: who.email, password: PASSWORD }
    expect((await signInWithPassword(portal, old, origin)).ok).toBe(false)
  })

  test('"confirm it’s you" is remembered for ten minutes, and guessing is slowed down', async () => {
    const session = await signedIn(await newPerson())
    expect(isConfirmed(session, portal.now(), 10)).toBe(false)
    expect(await confirmWithPassword(portal, session, 'a guess', origin)).toMatchObject({
      ok: false,
    })
    expect(await confirmWithPassword(portal, session, PASSWORD, origin)).toEqual({ ok: true })
    const again = await portal.sessions.find(portal.hashSecret(session.secret), portal.now())
    const later = (minutes: number) => new Date(portal.now().getTime() + minutes * 60_000)
    expect(again && isConfirmed(again, later(9), 10)).toBe(true)
    expect(again && isConfirmed(again, later(11), 10)).toBe(false)
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => confirmWithPassword(portal, session, 'a guess', origin)),
    )
    const slowed = guesses.filter((guess) => !guess.ok && guess.problem === 'slow_down')
    expect(slowed).toHaveLength(3)
  })

  test('a second factor was just used with its code, and with no password or recovery code', async () => {
    const session = await signedIn(await newPerson())
    const totp = await withApp(session)
    const recovery = (await newRecoveryCodes(portal, session, origin))?.codes[0] ?? ''
    const now = async (id: string) => {
      const proof = await portal.read((db) => findSessionProof(db, id))
      return proof && [hasJustUsedFactor, isConfirmed].map((is) => is(proof, portal.now(), 10))
    }
    const fresh = await signedIn({ userId: session.user.id, email: '' })
    expect(await now(fresh.id)).toEqual([false, false])
    expect((await stepUpWith(fresh, { recovery })).ok).toBe(true)
    expect(await now(fresh.id)).toEqual([false, false])
    expect((await confirmWithPassword(portal, fresh, PASSWORD, origin)).ok).toBe(true)
    expect(await now(fresh.id)).toEqual([false, true])
    const code = totp.generate({ timestamp: Date.now() + STEP_MS })
    expect((await confirmWithCode(portal, fresh, code, origin)).ok).toBe(true)
    expect(await now(fresh.id)).toEqual([true, true])
  })

  test('Q106: factors are changed after one was used or added, or after a recovery code; a password is not enough', async () => {
    const session = await signedIn(await newPerson())
    const mayChange = async ({ secret }: { secret: string }) => {
      const found = await portal.sessions.find(portal.hashSecret(secret), portal.now())
      const minutes = [10, 0].map((one) => found && hasProvenFactors(found, portal.now(), one))
      return minutes[1] ? 'always' : minutes[0]
    }
    const id = (await beginEnrolment(portal, session)) ?? ''
    const { secret = '' } = (await openEnrolment(portal, session, id)) ?? {}
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const code = totp.generate({ timestamp: Date.now() - STEP_MS })
    const added = await finishEnrolment(portal, session, { id, name: '', code }, origin)
    if (!added.ok) throw new Error(added.problem)
    expect(await mayChange(added.started)).toBe(true)
    const recovery = (await newRecoveryCodes(portal, session, origin))?.codes[0] ?? ''

    const fresh = await signedIn({ userId: session.user.id, email: '' })
    expect((await confirmWithPassword(portal, fresh, PASSWORD, origin)).ok).toBe(true)
    expect(await mayChange(fresh)).toBe(false)
    const raised = await stepUpWith(fresh, { recovery })
    if (!raised.ok) throw new Error(raised.problem)
    expect(await mayChange(raised.started)).toBe(true)
    const other = await signedIn({ userId: session.user.id, email: '' })
    const next = totp.generate({ timestamp: Date.now() + STEP_MS })
    expect((await confirmWithCode(portal, other, next, origin)).ok).toBe(true)
    expect(await mayChange(other)).toBe(true)
  })

  test('scopes are unticked one by one; required and unanswered ones are left alone', async () => {
    const who = await newPerson()
    const session = await signedIn(who)
    const applicationId = await consented(who, ['openid', 'orders:read', 'orders:write'])
    const ticked = ['orders:everything']
    expect(await chooseScopes(portal, session, { applicationId, ticked }, origin)).toBe(true)
    expect(await answers(applicationId)).toEqual({
      openid: true,
      'orders:read': true,
      'orders:write': false,
    })
    expect(await removeApp(portal, session, applicationId, origin)).toBe(true)
    expect(await answers(applicationId)).toEqual({})
    const seen = await listActivity(portal, session, ['consent.changed', 'consent.removed'], null)
    expect(seen.entries.map(({ event }) => event)).toEqual(['consent.removed', 'consent.changed'])
  })

  test('access for a time when nobody is signed in ends with the session once it is unticked', async () => {
    const who = await newPerson()
    const [here, there] = [await signedIn(who), await signedIn(who)]
    const applicationId = await consented(who, ['openid', 'offline_access'])
    await portal.db.tokenGrant.create({ data: grant(applicationId, there) })
    const isAlive = async () =>
      (await portal.tokenGrants.find(`tgr_${there.id}`, portal.now()))?.alive
    await endOwnSession(portal, here, there.id, origin)
    expect(await isAlive()).toBe(true)
    await chooseScopes(portal, here, { applicationId, ticked: [] }, origin)
    expect(await answers(applicationId)).toEqual({ openid: true, offline_access: false })
    expect(await isAlive()).toBe(false)
  })

  describe('M31: the profile', () => {
    const save = async (session: Session, change: Record<string, unknown>) => {
      const { fields } = await ownProfile(portal, session)
      return saveProfile(portal, session, { ...fields, ...change } as ProfileFields, origin)
    }

    test('takes what is on the list and nothing else', async () => {
      const who = await newPerson()
      const session = await signedIn(who)
      const forbidden = { email: 'x@example.org', adminRole: 'owner', id: 'usr_x', picture: 'q' }
      const typed = { name: ' Ann Lee ', nickname: 'annie', locality: 'Bern', ...forbidden }
      expect(await save(session, typed)).toEqual({ ok: true })
      const row = await portal.db.user.findUnique({ where: { id: who.userId } })
      expect(row).toMatchObject({ name: 'Ann Lee', email: who.email, adminRole: null })
      expect(row?.profile).toEqual({
        picture: 'p',
        nickname: 'annie',
        phone_number: '+41 44 000 00 00',
        phone_number_verified: true,
        address: { locality: 'Bern' },
      })
      await save(session, { phone_number: '+41 44 111 11 11', nickname: '', locality: '' })
      const after = await portal.db.user.findUnique({ where: { id: who.userId } })
      expect(after?.profile).toEqual({
        picture: 'p',
        phone_number: '+41 44 111 11 11',
        phone_number_verified: false,
      })
    })

    test.each([
      ['name', '  ', 'missing'],
      ['name', 'x'.repeat(101), 'long'],
      ['name', 'evil\u202egpj', 'characters'],
      ['nickname', 'a\u0000b', 'characters'],
      ['website', 'javascript:alert(1)', 'format'],
      ['zoneinfo', 'Mars/Olympus', 'format'],
      ['locale', 'not a tag', 'format'],
      ['phone_number', 'call me', 'format'],
    ])('refuses %s %j', async (field, value, problem) => {
      const session = await signedIn(await newPerson())
      const result = await save(session, { [field]: value })
      expect(result).toEqual({ ok: false, problems: [{ field, problem }] })
    })
  })
})
