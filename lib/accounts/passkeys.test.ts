import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import { SoftAuthenticator } from '../../e2e/support/soft-authenticator'
import { createOp, type OpenOp } from '../op'
import { readConfig } from '../settings/config'
import type { Session } from '../store/accounts/sessions'
import { createUser } from '../store/accounts/users'
import { migrate } from '../store/operations/migrations'
import { beginEnrolment, finishEnrolment, openEnrolment } from './authenticators'
import { confirmWithPasskey } from './confirm'
import { findWaiting, finishSignIn } from './finish-sign-in'
import { startSession } from './new-session'
import { addPasskey, listOwnPasskeys, nameOwnPasskey, removeOwnPasskey } from './own-passkeys'
import { CHALLENGE_MS, handleOf, newChallenge, type PasskeyPurpose } from './passkeys'
import { hashPassword } from './passwords'
import { factorProof, type TypedFactor } from './second-factor'
import { signInWithPasskey, signInWithPassword } from './sign-in'
import { stepUp } from './step-up'

const PASSWORD = 'correct horse battery staple'
const origin = { ip: '127.0.0.1', userAgent: 'test' }
const STEP_MS = 30_000

describe.each(KINDS)('passkeys and second factors on %s', (kind) => {
  let portal: OpenOp
  let passwordHash = ''
  let skip = 0

  beforeAll(async () => {
    const url = await freshDatabase[kind]()
    await migrate(url)
    const config = { DATABASE_URL: url, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }
    portal = await createOp(readConfig(config), () => new Date(Date.now() + skip))
    passwordHash = await hashPassword(PASSWORD)
  })
  afterAll(() => portal.close())

  type Person = Session & { email: string }

  async function newPerson(): Promise<Person> {
    const email = `${crypto.randomUUID()}@example.org`
    const user = { name: 'Ann', email, emailVerified: true, adminRole: null, passwordHash }
    const userId = await portal.write((tx) => createUser(tx, user, portal.now()))
    const login = { userId, acr: 'pwd', amr: ['pwd'], ...origin }
    const { secret } = await portal.write((tx) => startSession(portal, tx, login))
    const session = await portal.sessions.find(portal.hashSecret(secret), portal.now())
    if (!session) throw new Error('no session')
    return { ...session, email }
  }

  const place = () => ({ origin: portal.origin, rpId: new URL(portal.origin).hostname })
  const asked = (purpose: PasskeyPurpose) => ({
    challenge: newChallenge(portal, purpose),
    ...place(),
  })

  async function withPasskey(person: Person): Promise<SoftAuthenticator> {
    const authenticator = new SoftAuthenticator()
    const purpose = { for: 'register', userId: person.user.id } as const
    const sent = { response: authenticator.create(asked(purpose)), name: 'Laptop' }
    expect(await addPasskey(portal, person, sent, origin)).toMatchObject({ ok: true })
    return authenticator
  }

  const signIn = (response: string) => signInWithPasskey(portal, response, origin)
  const login = ({ user }: Person) => ({ ...asked({ for: 'login' }), userHandle: handleOf(user) })
  const MISMATCH = { ok: false, problem: 'mismatch' }

  test('signs in with both factors at once, and only with what was asked of it', async () => {
    const ann = await newPerson()
    const key = await withPasskey(ann)
    const admission = await signIn(key.get(login(ann)))
    expect(admission).toMatchObject({ ok: true, step: 'session' })
    const [row] = await portal.db.session.findMany({
      where: { userId: ann.user.id },
      orderBy: { createdAt: 'desc' },
    })
    expect([row?.acr, row?.amr]).toEqual(['phr', ['hwk', 'user', 'mfa']])

    const mallory = await newPerson()
    const challengeFor = (purpose: PasskeyPurpose) => newChallenge(portal, purpose)
    const { id } = ann.user
    const lies: [string, Parameters<typeof key.get>[0]][] = [
      ['another origin', { ...login(ann), origin: 'https://evil.example' }],
      ['another relying party', { ...login(ann), rpId: 'evil.example' }],
      ['no challenge of ours', { ...login(ann), challenge: 'AAAA' }],
      ['a challenge cut short', { ...login(ann), challenge: login(ann).challenge.slice(0, -4) }],
      ['to confirm', { ...login(ann), challenge: challengeFor({ for: 'confirm', userId: id }) }],
      ['a registration', { ...login(ann), type: 'webauthn.create' }],
      ['nobody unlocked it', { ...login(ann), verified: false }],
      ['somebody else’s name', { ...login(ann), userHandle: handleOf(mallory.user) }],
      ['no name at all', asked({ for: 'login' })],
    ]
    for (const [name, lie] of lies)
      expect([name, await signIn(key.get(lie))]).toEqual([name, MISMATCH])
    const foreign = new SoftAuthenticator()
    // The device is told that there is no such key, so that it stops offering it.
    expect(await signIn(foreign.get(login(ann)))).toEqual({
      ...MISMATCH,
      problem: 'unknown_passkey',
    })
    for (const junk of ['', '{}', 'null', '[]', '{"id":1}', 'x'.repeat(20_000)])
      expect(await signIn(junk)).toEqual(MISMATCH)
  })

  test('M6: of eight that send one answer at the same moment one gets in, and never again', async () => {
    const ann = await newPerson()
    const key = await withPasskey(ann)
    const response = key.get(login(ann))
    const results = await Promise.all(Array.from({ length: 8 }, () => signIn(response)))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await signIn(response)).toEqual(MISMATCH)
  })

  test('a challenge grows old, a copy’s counter lags behind, a disabled user is unknown', async () => {
    const ann = await newPerson()
    const key = await withPasskey(ann)
    const early = key.get(login(ann))
    skip = CHALLENGE_MS + 1
    expect(await signIn(early)).toEqual(MISMATCH)
    skip = 0
    expect((await signIn(key.get({ ...login(ann), counter: 7 }))).ok).toBe(true)
    expect(await signIn(key.get({ ...login(ann), counter: 7 }))).toEqual(MISMATCH)
    expect(await signIn(key.get({ ...login(ann), counter: 0 }))).toEqual(MISMATCH)
    expect((await signIn(key.get({ ...login(ann), counter: 8 }))).ok).toBe(true)
    const data = { disabledAt: new Date() }
    await portal.db.user.update({ where: { id: ann.user.id }, data })
    expect(await signIn(key.get({ ...login(ann), counter: 9 }))).toEqual(MISMATCH)
  })

  test('what is added is the person’s own, once; names and removal too', async () => {
    const [ann, bob] = [await newPerson(), await newPerson()]
    const key = await withPasskey(ann)
    const forBob = asked({ for: 'register', userId: bob.user.id })
    const foreign = { response: new SoftAuthenticator().create(forBob), name: '' }
    expect(await addPasskey(portal, ann, foreign, origin)).toEqual({
      ok: false,
      problem: 'unreadable',
    })
    const again = { response: key.create(forBob), name: '' }
    expect(await addPasskey(portal, bob, again, origin)).toEqual({ ok: false, problem: 'known' })
    expect(await nameOwnPasskey(portal, bob, key.id, 'mine')).toBe(false)
    expect(await removeOwnPasskey(portal, bob, key.id, origin)).toEqual({
      ok: false,
      problem: 'gone',
    })
    expect(await nameOwnPasskey(portal, ann, key.id, '  Work\u0000 laptop ')).toBe(true)
    expect(await listOwnPasskeys(portal, ann)).toMatchObject([{ name: 'Work laptop' }])
    await portal.db.passwordCredential.deleteMany({ where: { userId: ann.user.id } })
    expect(await removeOwnPasskey(portal, ann, key.id, origin)).toEqual({
      ok: false,
      problem: 'last_way_in',
    })
    const second = await withPasskey(ann)
    const both = await Promise.all(
      [key.id, second.id].map((id) => removeOwnPasskey(portal, ann, id, origin).catch(() => null)),
    )
    expect(both.filter((removed) => removed?.ok)).toHaveLength(1)
    expect(await listOwnPasskeys(portal, ann)).toHaveLength(1)
  })

  test('it raises a session and confirms who one is, each by a challenge of its own', async () => {
    const ann = await newPerson()
    const key = await withPasskey(ann)
    const { id: userId } = ann.user
    const prove = async (purpose: PasskeyPurpose) => {
      const typed = { code: '', recovery: '', passkey: key.get(asked(purpose)) }
      const proof = await factorProof(portal, userId, typed, origin)
      return proof ? stepUp(portal, ann, proof, origin) : null
    }
    expect(await prove({ for: 'login' })).toMatchObject({ ok: false })
    expect(await prove({ for: 'second_factor', userId })).toMatchObject({ ok: true })
    const row = await portal.db.session.findUnique({ where: { id: ann.id } })
    expect([row?.acr, row?.amr]).toEqual(['phr', ['pwd', 'hwk', 'user', 'mfa']])
    const confirm = (purpose: PasskeyPurpose) =>
      confirmWithPasskey(portal, ann, key.get(asked(purpose)), origin)
    expect(await confirm({ for: 'second_factor', userId })).toMatchObject({ ok: false })
    expect(await confirm({ for: 'confirm', userId })).toEqual({ ok: true })
  })

  async function withApp(person: Person): Promise<TOTP> {
    const id = (await beginEnrolment(portal, person)) ?? ''
    const { secret = '' } = (await openEnrolment(portal, person, id)) ?? {}
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const typed = { id, name: '', code: totp.generate({ timestamp: Date.now() - STEP_MS }) }
    expect(await finishEnrolment(portal, person, typed, origin)).toMatchObject({ ok: true })
    return totp
  }

  async function waitingFor({ email }: Person, deviceTokens: string[] = []) {
    const typed = { identifier: email, password: PASSWORD }
    const admission = await signInWithPassword(portal, typed, { ...origin, deviceTokens })
    if (!admission.ok) throw new Error(admission.problem)
    return admission.step === 'second_factor' ? admission.waiting : null
  }

  async function finish(
    { user }: Person,
    waiting: NonNullable<Awaited<ReturnType<typeof waitingFor>>>,
    typed: Partial<TypedFactor>,
    trust = false,
  ) {
    const all = { code: '', recovery: '', passkey: '', ...typed }
    const proof = await factorProof(portal, user.id, all, origin)
    if (!proof) throw new Error('nothing was typed')
    return finishSignIn(portal, waiting, user.id, { proof, trust }, origin)
  }

  test('M7: with an app the password alone gives no session; the code does, once', async () => {
    const ann = await newPerson()
    const totp = await withApp(ann)
    const before = await portal.db.session.count({ where: { userId: ann.user.id } })
    const waiting = await waitingFor(ann)
    if (!waiting) throw new Error('nobody waits')
    expect(await portal.db.session.count({ where: { userId: ann.user.id } })).toBe(before)
    expect(await findWaiting(portal, waiting)).toBe(ann.user.id)
    // What waits is no session to anybody.
    expect(await portal.sessions.find(portal.hashSecret(waiting.token), portal.now())).toBeNull()
    expect(await finish(ann, waiting, { code: '000000' })).toEqual({ ok: false, problem: 'wrong' })
    const code = totp.generate()
    const all = await Promise.all([1, 2, 3].map(() => finish(ann, waiting, { code })))
    expect(all.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await findWaiting(portal, waiting)).toBeNull()
    const late = totp.generate({ timestamp: Date.now() + STEP_MS })
    expect(await finish(ann, waiting, { code: late })).toEqual({ ok: false, problem: 'expired' })
  })

  test('M6: after five wrong ones the sign-in is void, and begins again with the password', async () => {
    const ann = await newPerson()
    const totp = await withApp(ann)
    const waiting = await waitingFor(ann)
    if (!waiting) throw new Error('nobody waits')
    for (let time = 0; time < 5; time += 1) await finish(ann, waiting, { code: '000000' })
    expect(await finish(ann, waiting, { code: totp.generate() })).toMatchObject({
      problem: 'slow_down',
    })
    expect(await findWaiting(portal, waiting)).toBeNull()
  })

  test('a device is trusted by the person who said so, for thirty days, until the password changes', async () => {
    const [ann, bob] = [await newPerson(), await newPerson()]
    const totp = await withApp(ann)
    await withApp(bob)
    const waiting = await waitingFor(ann)
    if (!waiting) throw new Error('nobody waits')
    const done = await finish(ann, waiting, { code: totp.generate() }, true)
    const token = done.ok ? (done.deviceToken ?? '') : ''
    expect(await waitingFor(ann, [token])).toBeNull()
    expect(await waitingFor(ann, ['ghdv_made-up'])).not.toBeNull()
    expect(await waitingFor(bob, [token])).not.toBeNull()
    skip = 31 * 24 * 60 * 60 * 1000
    expect(await waitingFor(ann, [token])).not.toBeNull()
    skip = 0
    const { signOutEverywhere } = await import('./sign-out-everywhere')
    await portal.write((tx) => signOutEverywhere(portal, tx, ann.user.id, 'password_changed'))
    expect(await waitingFor(ann, [token])).not.toBeNull()
  })
})
