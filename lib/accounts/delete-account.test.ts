import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, usually } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import { DAY_MS } from '../base/time'
import { newId } from '../crypto/secrets'
import { openMail } from '../delivery/mail/order'
import { createOp, type OpenOp } from '../op'
import { readConfig } from '../settings/config'
import type { Session } from '../store/accounts/sessions'
import { createUser } from '../store/accounts/users'
import { hashOf } from '../store/audit/audit'
import { migrate } from '../store/operations/migrations'
import { askDeletion, deleteDueAccounts, keepAccount } from './delete-account'
import { startSession } from './new-session'
import { ownData } from './own-data'
import { hashPassword } from './passwords'
import { signInWithPassword } from './sign-in'

const PASSWORD = 'correct horse battery staple'
const origin = { ip: '127.0.0.1', userAgent: 'test' }

describe.each(usually('sqlite'))('deleting one’s own account on %s', (kind) => {
  let portal: OpenOp
  let other: OpenOp
  let passwordHash = ''
  let time = Date.now()

  beforeAll(async () => {
    const url = await freshDatabase[kind]()
    await migrate(url)
    const GATEHOUSE_SECRET = 'a-test-secret-of-sufficient-length-0123456789'
    const env = { DATABASE_URL: url, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }
    const open = () => createOp(readConfig({ ...env, GATEHOUSE_SECRET }), () => new Date(time))
    portal = await open()
    other = await open()
    passwordHash = await hashPassword(PASSWORD)
  })

  afterAll(async () => {
    await portal.close()
    await other.close()
  })

  async function isEnabled({ user: { id } }: Person): Promise<boolean | undefined> {
    const { policy } = await portal.latestSnapshot({ users: [id] })
    return policy.users.get(id)?.enabled
  }

  type Person = Session & { secret: string; email: string }

  async function newPerson(adminRole: 'owner' | null = null): Promise<Person> {
    const email = `${crypto.randomUUID()}@example.org`
    const person = { name: 'Ann', email, emailVerified: true, adminRole, passwordHash }
    const userId = await portal.write((tx) => createUser(tx, person, portal.now()))
    return { ...(await signedIn(userId)), email }
  }

  async function signedIn(userId: string): Promise<Session & { secret: string }> {
    const login = { userId, acr: 'pwd', amr: ['pwd'], ...origin }
    const { secret } = await portal.write((tx) => startSession(portal, tx, login))
    const session = await portal.sessions.find(portal.hashSecret(secret), portal.now())
    if (!session) throw new Error('no session')
    return { ...session, secret }
  }

  const ask = (person: Person, typed = person.email) => askDeletion(portal, person, typed, origin)
  const rowOf = ({ user }: Session) => portal.db.user.findUnique({ where: { id: user.id } })

  async function withGrant(person: Person): Promise<string> {
    const [now, lists] = [portal.now(), { branding: {}, authMethods: [], defaultScopes: [] }]
    const more = { redirectUris: [], postLogoutRedirectUris: [], origins: [], grantTypes: [] }
    const app = { id: newId('app'), kind: 'web', name: 'App', requiredScopes: [] }
    const stamps = { createdAt: now, updatedAt: now }
    const owner = { ownerId: person.user.id }
    await portal.db.application.create({ data: { ...app, ...lists, ...more, ...stamps, ...owner } })
    const id = newId('tgr')
    const whose = { applicationId: app.id, userId: person.user.id, sessionId: person.id }
    const proof = { scopes: ['openid'], resources: [], acr: 'pwd', amr: [], authTime: now }
    const times = { createdAt: now, expiresAt: new Date(time + 90 * DAY_MS) }
    await portal.db.tokenGrant.create({ data: { id, ...whose, ...proof, ...times, offline: true } })
    return id
  }

  /** Signs in and gives what the cookie would hold. */
  async function signInAgain({ email }: Person): Promise<string> {
    const typed = { identifier: email, password: PASSWORD }
    const result = await signInWithPassword(portal, typed, origin)
    if (!result.ok || result.step !== 'session') throw new Error('not signed in')
    return portal.hashSecret(result.started.secret)
  }

  async function noticesTo({ user }: Session): Promise<string[]> {
    const rows = await portal.db.outboxMessage.findMany({ where: { kind: 'mail' } })
    const orders = rows.map(({ id, payloadEncrypted }) =>
      openMail(portal.outboxKey, id, payloadEncrypted),
    )
    return orders.flatMap((order) =>
      order.letter === 'notice' && order.userId === user.id ? order.notice : [],
    )
  }

  async function expectUnbrokenChain(): Promise<void> {
    const rows = await portal.db.auditEntry.findMany({ orderBy: { seq: 'asc' } })
    let previous = rows[0]?.previousHash
    for (const { hash, ...row } of rows) {
      expect(row.previousHash).toBe(previous)
      expect(hashOf({ ...row, detail: row.detail as Record<string, string> })).toBe(hash)
      previous = hash
    }
  }

  test('ends everything at once; signing in gives a session that is good for keeping it and nothing else', async () => {
    const person = await newPerson()
    const grant = await withGrant(person)
    expect(await ask(person, 'somebody@else.example')).toEqual({ ok: false, problem: 'mismatch' })
    expect((await rowOf(person))?.deleteAfter).toBeNull()
    expect((await portal.tokenGrants.find(grant, portal.now()))?.alive).toBe(true)

    expect(await ask(person, ` ${person.email.toUpperCase()} `)).toEqual({ ok: true })
    expect((await rowOf(person))?.deleteAfter).toEqual(new Date(time + 14 * DAY_MS))
    expect(await portal.sessions.find(portal.hashSecret(person.secret), portal.now())).toBeNull()
    expect((await portal.tokenGrants.find(grant, portal.now()))?.alive).toBe(false)
    expect(await portal.people.find(person.user.id)).toBeNull()
    expect(await isEnabled(person)).toBe(false)
    expect(await ask(person)).toEqual({ ok: false, problem: 'gone' })

    const hash = await signInAgain(person)
    expect(await portal.sessions.find(hash, portal.now())).toBeNull()
    const leaving = await portal.sessions.findLeaving(hash, portal.now())
    if (!leaving) throw new Error('no way back')
    const started = await keepAccount(portal, leaving, origin)
    expect(await portal.sessions.find(hash, portal.now())).toBeNull()
    const kept = await portal.sessions.find(portal.hashSecret(started?.secret ?? ''), portal.now())
    expect(kept?.user.id).toBe(person.user.id)
    expect(await portal.sessions.findLeaving(hash, portal.now())).toBeNull()
    expect(await isEnabled(person)).toBe(true)
    expect(await keepAccount(portal, leaving, origin)).toBeNull()
    expect((await portal.tokenGrants.find(grant, portal.now()))?.alive).toBe(false)
    expect(await noticesTo(person)).toEqual(['deletion_asked', 'deletion_cancelled'])
  })

  test('after 14 days the row is erased, once by two instances; the log’s chain still holds', async () => {
    const [person, bystander] = [await newPerson(), await newPerson()]
    await withGrant(person)
    await ask(person)
    const hash = await signInAgain(person)
    const leaving = await portal.sessions.findLeaving(hash, portal.now())
    time += 14 * DAY_MS - 1
    expect(await deleteDueAccounts(portal)).toBe(0)
    time += 1
    if (leaving) expect(await keepAccount(portal, leaving, origin)).toBeNull()
    const erased = await Promise.all([deleteDueAccounts(portal), deleteDueAccounts(other)])
    expect(erased[0] + erased[1]).toBe(1)
    expect(await rowOf(person)).toBeNull()
    expect(await rowOf(bystander)).not.toBeNull()
    const { id } = person.user
    for (const table of ['session', 'tokenGrant', 'consent', 'passwordCredential'] as const) {
      const count = portal.db[table].count as (args: object) => Promise<number>
      expect(await count({ where: { userId: id } })).toBe(0)
    }
    expect(await portal.db.application.count({ where: { ownerId: id } })).toBe(0)
    const log = await portal.db.auditEntry.findMany({
      where: { OR: [{ actorId: id }, { targetId: id }] },
    })
    expect(log.map(({ event }) => event)).toContain('account.erased')
    expect(JSON.stringify(log.map(({ detail }) => detail))).not.toContain(person.email)
    await expectUnbrokenChain()
  })

  test('N5: the last owner stays, and of two who leave at once one does', async () => {
    const first = await newPerson('owner')
    expect(await ask(first)).toEqual({ ok: false, problem: 'last_owner' })
    expect((await rowOf(first))?.deleteAfter).toBeNull()
    expect(await portal.sessions.find(portal.hashSecret(first.secret), portal.now())).not.toBeNull()
    const second = await newPerson('owner')
    const asked = await Promise.all([ask(first), askDeletion(other, second, second.email, origin)])
    expect(asked.filter(({ ok }) => ok)).toHaveLength(1)
    expect(asked).toContainEqual({ ok: false, problem: 'last_owner' })
  })

  test('N9: what is downloaded is theirs, all of it, and holds no secret', async () => {
    const [person, another] = [await newPerson(), await newPerson()]
    await withGrant(person)
    const { user } = person
    const at = { createdAt: portal.now() }
    const secretEncrypted = 'sealed-canary'
    await portal.db.totpCredential.create({
      data: {
        id: newId('otp'),
        userId: user.id,
        name: 'Phone',
        secretEncrypted,
        confirmedAt: portal.now(),
        ...at,
      },
    })
    await portal.db.recoveryCode.create({
      data: { codeHash: 'hash-canary', userId: user.id, ...at },
    })
    const text = JSON.stringify(await ownData(portal, person, origin))
    const data = JSON.parse(text)
    expect(Object.keys(data)).toEqual([
      ...['portal', 'exportedAt', 'profile', 'factors', 'identities', 'sessions', 'consents'],
      ...['connectedApps', 'groups', 'assignments', 'accessReviews', 'activity', 'decisions'],
    ])
    expect(data.profile).toMatchObject({ id: user.id, email: person.email, name: 'Ann' })
    expect(data.factors.authenticatorApps).toMatchObject([{ name: 'Phone' }])
    expect(data.connectedApps).toMatchObject([{ application: { name: 'App' }, offline: true }])
    expect(data.sessions).toHaveLength(1)
    for (const secret of [
      'canary',
      passwordHash,
      portal.hashSecret(person.secret),
      another.email,
    ]) {
      expect(text).not.toContain(secret)
    }
    expect(text).not.toMatch(/hash|secret|encrypted/i)
  })
})
