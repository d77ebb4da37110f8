import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import type { Op } from '../context/op'
import { newSecret } from '../crypto/secrets'
import { createOp, type OpenOp } from '../op'
import { readConfig } from '../settings/config'
import { replaceRecoveryCodes } from '../store/accounts/recovery-codes'
import type { Session } from '../store/accounts/sessions'
import type { Database } from '../store/database/database'
import { migrate } from '../store/operations/migrations'
import type { UpstreamPerson } from '../upstream/person'
import { linkIdentity, listIdentities, unlinkIdentity } from './identities'
import { recoveryCodesLeft } from './recovery-codes'
import { resetPassword } from './reset-password'
import { nextStep, signInWithUpstream } from './upstream'

describe('M30: what happens to somebody who comes from a provider', () => {
  const known = { userId: 'usr_x', enabled: true }
  const disabled = { userId: 'usr_x', enabled: false }
  const unknown = { do: 'refuse', problem: 'unknown' } as const
  const taken = { do: 'refuse', problem: 'address_taken' } as const
  const create = { do: 'create' } as const
  const signIn = { do: 'sign in', userId: 'usr_x' } as const
  const rows = [
    // known, address taken, vouched for -> open, closed
    [known, false, false, signIn, signIn],
    [known, true, true, signIn, signIn],
    [disabled, false, false, unknown, unknown],
    [disabled, true, true, unknown, unknown],
    [null, false, false, create, unknown],
    [null, false, true, create, unknown],
    [null, true, false, unknown, unknown],
    [null, true, true, taken, taken],
  ] as const
  test.each(rows)('%j, taken %s, vouched for %s', (who, addressTaken, vouchedFor, open, closed) => {
    const facts = { known: who, addressTaken, vouchedFor }
    expect(nextStep({ ...facts, registration: 'open' })).toEqual(open)
    expect(nextStep({ ...facts, registration: 'closed' })).toEqual(closed)
  })
})

const ISSUERS = ['https://one.example', 'https://two.example'] as const

describe.each(KINDS)('identities on %s', (kind) => {
  let portal: OpenOp
  const origin = { ip: '127.0.0.1', userAgent: 'test' }

  beforeAll(async () => {
    const url = await freshDatabase[kind]()
    await migrate(url)
    const common = { kind: 'oidc', clientId: 'x', clientSecret: 'env:S' }
    const providers = ISSUERS.map((issuer, at) => {
      return { ...common, id: `p${at}`, name: `P${at}`, issuer }
    })
    portal = await createOp(
      readConfig({
        DATABASE_URL: url,
        DATA_DIR: temporaryFolder(),
        LOG_LEVEL: 'silent',
        UPSTREAM_PROVIDERS: JSON.stringify(providers),
        S: 'secret',
        REGISTRATION: 'open',
      }),
    )
  })
  afterAll(() => portal.close())

  const person = (more: Partial<UpstreamPerson> = {}): UpstreamPerson => ({
    issuer: ISSUERS[0],
    subject: crypto.randomUUID(),
    name: 'Ann',
    username: 'ann',
    email: null,
    emailVerified: false,
    profile: {},
    authTime: null,
    ...more,
  })
  const visit = (who: UpstreamPerson, op: Op = portal) =>
    signInWithUpstream(op, { person: who, locale: 'en', returnTo: '/', provenAt: null, ...origin })

  async function signedIn(who: UpstreamPerson): Promise<Session> {
    const result = await visit(who)
    if (!result.ok || result.step !== 'session') throw new Error('not signed in')
    const session = await portal.sessions.find(
      portal.hashSecret(result.started.secret),
      portal.now(),
    )
    if (!session) throw new Error('no session')
    return session
  }

  test('of ten that want one verified address through ten subjects, one gets it', async () => {
    const email = `${crypto.randomUUID()}@example.org`
    const people = Array.from({ length: 10 }, () => person({ email, emailVerified: true }))
    const results = await Promise.all(people.map((one) => visit(one)))
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    const problems = results.flatMap((result) => (result.ok ? [] : result.problem))
    expect(new Set(problems)).toEqual(new Set(['address_taken']))
  })

  test('first visits of one person at the same moment all end in the one account', async () => {
    for (let round = 0; round < 10; round += 1) {
      const who = person({ email: `${crypto.randomUUID()}@example.org`, emailVerified: true })
      const results = await Promise.all(Array.from({ length: 8 }, () => visit(who)))
      expect(results.map(({ ok }) => ok)).toEqual(Array(8).fill(true))
      expect(await portal.db.identity.count({ where: { subject: who.subject } })).toBe(1)
      expect(await portal.db.user.count({ where: { email: who.email } })).toBe(1)
    }
  })

  test('so does one between whose looks another is through', async () => {
    const who = person({ email: `${crypto.randomUUID()}@example.org`, emailVerified: true })
    let looks = 0
    const slow: Op = {
      ...portal,
      async read<T>(work: (db: Database) => Promise<T>): Promise<T> {
        const found = await portal.read(work)
        looks += 1
        if (looks === 1) await visit(who)
        return found
      },
    }
    expect(await visit(who, slow)).toMatchObject({ ok: true })
    expect(await portal.db.user.count({ where: { email: who.email } })).toBe(1)
  })

  test('one subject of two issuers is two people', async () => {
    const subject = crypto.randomUUID()
    const [one, two] = [
      await signedIn(person({ subject })),
      await signedIn(person({ subject, issuer: ISSUERS[1] })),
    ]
    expect(one.user.id).not.toBe(two.user.id)
  })

  test('of two who connect one identity at the same moment, one has it', async () => {
    const [ann, ben] = [await signedIn(person()), await signedIn(person())]
    const wanted = person({ issuer: ISSUERS[1] })
    const results = await Promise.all([
      linkIdentity(portal, ann, wanted, origin),
      linkIdentity(portal, ben, wanted, origin),
    ])
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(results.find(({ ok }) => !ok)).toEqual({ ok: false, problem: 'identity_taken' })
    const events = await portal.db.auditEntry.findMany({
      where: { event: 'identity.linked', actorId: { in: [ann.user.id, ben.user.id] } },
    })
    expect(events).toHaveLength(1)
  })

  test('both of two taken away at the same moment: one of them stays', async () => {
    for (let round = 0; round < 5; round += 1) {
      const session = await signedIn(person())
      await linkIdentity(portal, session, person({ issuer: ISSUERS[1] }), origin)
      const ids = (await listIdentities(portal, session)).map(({ id }) => id)
      expect(ids).toHaveLength(2)
      const results = await Promise.all(
        ids.map((id) => unlinkIdentity(portal, session, id, origin)),
      )
      expect(results.filter(({ ok }) => ok)).toHaveLength(1)
      expect(results.find(({ ok }) => !ok)).toEqual({ ok: false, problem: 'last_way_in' })
      expect(await listIdentities(portal, session)).toHaveLength(1)
    }
  })

  test('an identity whose provider is gone is no way in; a password and a passkey are', async () => {
    const session = await signedIn(person())
    const userId = session.user.id
    await linkIdentity(portal, session, person({ issuer: 'https://gone.example' }), origin)
    const [own, gone] = await listIdentities(portal, session)
    expect([own?.provider?.name, gone?.provider]).toEqual(['P0', null])
    const unlink = () => unlinkIdentity(portal, session, own?.id ?? '', origin)
    expect(await unlink()).toEqual({ ok: false, problem: 'last_way_in' })
    await portal.db.passkeyCredential.create({
      data: {
        id: crypto.randomUUID(),
        userId,
        name: 'Key',
        publicKey: new Uint8Array([1]),
        counter: 0n,
        transports: [],
        deviceBound: false,
        createdAt: portal.now(),
      },
    })
    expect(await unlink()).toMatchObject({ ok: true })
    expect(await unlink()).toEqual({ ok: false, problem: 'gone' })
  })

  test('M30: who proves an unproven address by a reset is alone in the account afterwards', async () => {
    const password = 'seven quiet herons by the weir'
    for (const emailVerified of [false, true]) {
      const email = `${crypto.randomUUID()}@example.org`
      const session = await signedIn(person({ email, emailVerified }))
      const token = newSecret('ghlk')
      const codes = [portal.hashSecret(token)]
      await portal.write((tx) => replaceRecoveryCodes(tx, session.user.id, codes, portal.now()))
      await portal.links.save({
        ...{
          tokenHash: portal.hashSecret(token),
          purpose: 'reset',
          userId: session.user.id,
          email,
        },
        createdAt: portal.now(),
        expiresAt: new Date(portal.now().getTime() + 60_000),
      })
      const reset = { token, password, locale: 'en', ip: null } as const
      expect(await resetPassword(portal, reset)).toEqual({ ok: true })
      expect(await listIdentities(portal, session)).toHaveLength(emailVerified ? 1 : 0)
      expect(await recoveryCodesLeft(portal, session)).toBe(emailVerified ? 1 : 0)
    }
  })

  test('N2: nobody takes away what is somebody else’s', async () => {
    const [ann, eve] = [await signedIn(person()), await signedIn(person())]
    const [own] = await listIdentities(portal, ann)
    expect(await unlinkIdentity(portal, eve, own?.id ?? '', origin)).toEqual({
      ok: false,
      problem: 'gone',
    })
    expect(await listIdentities(portal, ann)).toHaveLength(1)
  })
})
