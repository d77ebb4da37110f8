import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askDeletion } from '../../lib/accounts/delete-account'
import { linkIdentity } from '../../lib/accounts/identities'
import { acceptInvitation } from '../../lib/accounts/invitation'
import { DAY_MS } from '../../lib/base/time'
import { emptyOutbox } from '../../lib/delivery/deliver'
import type { Session } from '../../lib/store/accounts/sessions'
import {
  ANY,
  callAs,
  loginOf,
  machineWith,
  made,
  ok,
  type Person,
  people,
  provedInProcess,
  WANTED,
  type World,
  worldIn,
} from '../support/access-requests'
import { type Call, caller, sessionOf } from '../support/api'
import { KINDS } from '../support/databases'
import { type OpenPortal, openPortal } from '../support/in-process'
import { type MailServer, startMailServer } from '../support/smtp'

/** Two accounts of one person become one: what moves, what ends, and who may do it. */

const NAMES = ['ann', 'ben', 'cleo', 'dora', 'eve', 'finn'] as const
const PASSWORD = 'correct horse battery staple'
const FROM = { ip: '127.0.0.1', userAgent: 'test' }
const ISSUER = 'https://provider.example'

describe.each(KINDS)('merging two accounts on %s', (kind) => {
  let mails: MailServer
  let portal: OpenPortal
  let who: Record<(typeof NAMES)[number], Person>
  let world: World
  let api: Call
  let owner: Call

  beforeAll(async () => {
    mails = await startMailServer()
    portal = await openPortal({ kind, env: { SMTP_URL: mails.url, MAIL_FROM: 'id@example.com' } })
    who = await people(portal, NAMES)
    world = await worldIn(portal, [who.ann, who.ben, who.cleo, who.dora])
    api = world.api
    owner = callAs(portal, await sessionOf(portal, portal.demo().admin))
  })
  afterAll(async () => {
    await portal.stop()
    await mails.close()
  })

  let count = 0
  async function account(more: object = {}): Promise<{ id: string; email: string }> {
    count += 1
    const email = `account-${count}@merge.example`
    const { id } = await made(api, '/users', { name: `Account ${count}`, email, ...more })
    return { id, email }
  }
  /** Somebody who has set a password and is signed in. */
  async function signedIn(more: object = {}) {
    const { id, email } = await account(more)
    const { link } = await made(api, `/users/${id}/invitation`, { returnLink: true })
    const token = new URL(link).searchParams.get('token') ?? ''
    const done = await acceptInvitation(portal.op, { token, password: PASSWORD }, FROM)
    const secret = (done.ok && done.started?.secret) || ''
    const session = () => portal.op.sessions.find(portal.op.hashSecret(secret), portal.op.now())
    return { id, email, session: (await session()) as Session, isSignedIn: session }
  }
  const identityAt = (email: string, emailVerified: boolean) => ({
    ...{ issuer: ISSUER, subject: crypto.randomUUID(), email, emailVerified, username: null },
    ...{ name: null, freshness: null },
  })
  const link = (session: Session, email: string, emailVerified: boolean) =>
    linkIdentity(portal.op, session, identityAt(email, emailVerified) as never, FROM)

  const previewOf = (kept: string, from: string, call = api) =>
    call('POST', `/users/${kept}/merge-preview`, { from })
  const merge = (kept: string, from: string, preview: string, more: object = {}, call = api) =>
    call('POST', `/users/${kept}/merge`, {
      from,
      preview,
      confirm: ['no_shared_address'],
      ...more,
    })
  async function merged(kept: string, from: string, more: object = {}, call = api) {
    const { preview } = ok(await previewOf(kept, from, call))
    return ok(await merge(kept, from, preview, more, call))
  }
  async function refused(answer: ReturnType<Call>) {
    const { status, json } = await answer
    const [error] = json.errors ?? []
    return error ? [status, error.pointer, error.code] : [status, json.missing ?? json.detail]
  }
  const isThere = async (id: string) => (await api('GET', `/users/${id}`)).status === 200
  const isHeld = async (user: string, permission = WANTED) =>
    ok(await api('POST', '/permissions/check', { user, permission })).allowed
  const role = async (key: string): Promise<string> =>
    (await made(api, '/spaces/demo/roles', { key: `${key}-${kind}`, name: key })).id

  test('what it has moves, its values are chosen, and its sign-in ends', async () => {
    const kept = await account({ attributes: { branch: 'Bern' }, emailVerified: true })
    const gone = await signedIn({
      attributes: { branch: 'Basel', level: 3 },
      profile: { phone_number: '+41 44 123 45 67', phone_number_verified: true },
    })
    await link(gone.session, kept.email, true)
    const [group, clerk, denied] = [
      await made(api, '/groups', { key: `crew-${count}`, name: 'Crew' }),
      await role('clerk'),
      await role('denied'),
    ]
    ok(await api('PUT', `/groups/${group.id}/members/${gone.id}`))
    for (const id of [kept.id, gone.id]) ok(await api('PUT', `/users/${id}/roles/${clerk}`))
    const subject = { type: 'user', id: gone.id }
    const deny = { role: denied, subject, effect: 'deny' }
    const assignment = await made(api, '/spaces/demo/assignments', deny)
    const app = await made(api, '/applications', { kind: 'machine', name: 'Owned' })
    ok(await api('PATCH', `/applications/${app.id}`, { owner: gone.id }, ANY))
    const resource = `/spaces/demo/resources/${world.apiId}`
    ok(await api('PATCH', resource, { owners: [{ type: 'user', id: gone.id }] }, ANY))

    const preview = ok(await previewOf(kept.id, gone.id))
    expect(preview.confirm).toEqual([])
    const moves = preview.moves.map(({ what, names }: { what: string; names: string[] }) => [
      what,
      names,
    ])
    expect(Object.fromEntries(moves)).toEqual({
      identities: [`${ISSUER} ${kept.email}`],
      groups: ['Crew'],
      roles: ['denied'],
      applications: ['Owned'],
      apis: ['Ledger'],
    })
    expect(preview.ends).toEqual([{ what: 'password', count: 1, names: [''] }])
    const names = preview.fields.map(({ name }: { name: string }) => name)
    expect(names).toEqual([
      ...['name', 'email', 'profile.phone_number', 'attributes.branch', 'attributes.level'],
    ])
    const wrong = { take: ['attributes.branch', 'attributes.rank'] }
    expect(await refused(merge(kept.id, gone.id, preview.preview, wrong))).toEqual([
      ...[400, '/take/1', 'merge_field'],
    ])
    const take = ['attributes.level', 'profile.phone_number']
    const user = ok(await merge(kept.id, gone.id, preview.preview, { take }))
    expect(user).toMatchObject({ id: kept.id, email: kept.email })
    expect(user.attributes).toEqual({ branch: 'Bern', level: 3 })
    expect(user.profile).toMatchObject({ phone_number_verified: true })

    const groups = ok(await api('GET', `/users/${kept.id}/groups`)).data
    expect(groups).toMatchObject([{ id: group.id }])
    const roles = ok(await api('GET', `/users/${kept.id}/roles`)).data
    expect(roles.map(({ key }: { key: string }) => key).sort()).toEqual([
      ...[`clerk-${kind}`, `denied-${kind}`],
    ])
    const moved = ok(await api('GET', `/spaces/demo/assignments/${assignment.id}`))
    expect(moved).toMatchObject({ subject: { type: 'user', id: kept.id }, effect: 'deny' })
    expect(ok(await api('GET', `/applications/${app.id}`)).owner).toBe(kept.id)
    expect(ok(await api('GET', resource)).owners).toEqual([{ type: 'user', id: kept.id }])
    const factors = ok(await api('GET', `/users/${kept.id}/factors`))
    expect(factors).toMatchObject({ password: false, data: [{ kind: 'identity' }] })
    expect(await gone.isSignedIn()).toBeNull()
    await emptyOutbox(portal.op, () => true)
    const told = (to: string) =>
      mails.received.filter((one) => one.to.includes(to)).map(({ subject: about }) => about)
    expect(told(kept.email)).toContain('Two accounts became one')
    expect(told(gone.email)).toContain('Your account was merged into another')
    const mail = mails.received.find(({ subject: about }) => about.startsWith('Your account was m'))
    expect(mail?.to).toEqual([gone.email])
    expect(mail?.text).not.toContain('/not-me')
    await portal.op.settled()
    const [event] = ok(await api('GET', `/audit-events?targetId=${kept.id}&event=user.merged`)).data
    expect(event.detail).toMatchObject({ from: gone.id, took: take, moved: { identities: 1 } })
    ok(await api('PATCH', resource, { owners: [] }, ANY))
  })

  test('N55: its ID is never used again, its password opens nothing, its address is free', async () => {
    const [kept, gone] = [await account(), await signedIn()]
    await merged(kept.id, gone.id)
    expect(await isThere(gone.id)).toBe(false)
    const again = await api('POST', '/users', { id: gone.id, username: 'again' })
    expect([again.status, again.json.errors[0].code]).toEqual([400, 'id_reused'])
    await portal.op.settled()
    const [event] = ok(
      await api('GET', `/audit-events?targetId=${gone.id}&event=user.deleted`),
    ).data
    expect(event.detail).toMatchObject({ merged_into: kept.id })
    const factors = ok(await api('GET', `/users/${kept.id}/factors`))
    expect(factors).toMatchObject({ password: false, data: [] })
    const next = await made(api, '/users', { email: gone.email })
    expect(next.id).not.toBe(gone.id)
  })

  test('N50: an account of whoever entered the address and never verified it needs a confirmation that says so', async () => {
    const victim = await account({ emailVerified: true })
    const attacker = await signedIn()
    await link(attacker.session, victim.email.toUpperCase(), false)
    const { preview, confirm } = ok(await previewOf(victim.id, attacker.id))
    expect(confirm).toEqual(['address_not_verified'])
    for (const said of [[], ['no_shared_address'], ['disabled']]) {
      const answer = merge(victim.id, attacker.id, preview, { confirm: said })
      expect(await refused(answer)).toEqual([400, '/confirm', 'merge_address_not_verified'])
    }
    expect(ok(await api('GET', `/users/${victim.id}/factors`)).data).toEqual([])
    // The other way round it is the same person's word that counts.
    const back = ok(await previewOf(attacker.id, victim.id))
    expect(back.confirm).toEqual(['address_not_verified'])
    ok(await merge(victim.id, attacker.id, preview, { confirm }))

    const [one, other] = [await account(), await account({ enabled: false })]
    const { preview: apart, confirm: doubts } = ok(await previewOf(one.id, other.id))
    expect(doubts).toEqual(['no_shared_address', 'disabled'])
    const answer = merge(one.id, other.id, apart)
    expect(await refused(answer)).toEqual([400, '/confirm', 'merge_disabled'])
    expect(await isThere(other.id)).toBe(true)
  })

  test('N51: with an owner, with somebody above, or with those who decide, only by whoever holds that', async () => {
    ok(await api('PATCH', `/users/${who.finn.id}`, { adminRole: 'admin' }, ANY))
    const admin = callAs(portal, await sessionOf(portal, loginOf('finn')))
    const [user, other] = [await account(), await account({ adminRole: 'owner' })]
    for (const [kept, from] of [
      [user.id, other.id],
      [other.id, user.id],
    ] as const) {
      expect((await previewOf(kept, from, admin)).status).toBe(403)
      const { preview } = ok(await previewOf(kept, from, owner))
      expect((await merge(kept, from, preview, {}, admin)).status).toBe(403)
    }
    const hr = caller(portal, await (await machineWith(portal, api, ['users:write'])).token())
    const clerk = await account()
    ok(await api('PUT', `/users/${clerk.id}/roles/${await role('teller')}`))
    expect(await refused(previewOf(user.id, clerk.id, hr))).toEqual([403, ['assignments:write']])
    expect(await refused(previewOf(clerk.id, user.id, hr))).toEqual([403, ['assignments:write']])
    // Ann is in the group that decides about the ledger.
    expect(await refused(previewOf(who.ann.id, user.id, hr))).toEqual([403, ['ledger:*']])
    expect(await refused(previewOf(user.id, who.ann.id, hr))).toEqual([403, ['ledger:*']])
    // An admin role is taken by whoever can give it.
    const auditor = await account({ adminRole: 'auditor' })
    const plain = await account()
    const { preview } = ok(await previewOf(plain.id, auditor.id, admin))
    const asked = { take: ['adminRole'] }
    expect((await merge(plain.id, auditor.id, preview, asked, hr)).status).toBe(403)
    const after = ok(await merge(plain.id, auditor.id, preview, asked, admin))
    expect(after.adminRole).toBe('auditor')
  })

  test('N52: nobody merges themselves away, with themselves, or more into themselves', async () => {
    const admin = callAs(portal, await sessionOf(portal, loginOf('finn')))
    const own = who.finn.id
    const other = await account()
    expect((await previewOf(other.id, own, admin)).status).toBe(409)
    expect(await refused(previewOf(own, other.id, admin))).toEqual([403, ['own_access']])
    expect(await refused(previewOf(other.id, other.id))).toEqual([400, '/from', 'merge_same'])
    expect(await refused(previewOf(other.id, 'usr_none'))).toEqual([400, '/from', 'no_user'])
    expect((await previewOf('usr_none', other.id)).status).toBe(404)
    expect(await isThere(other.id)).toBe(true)
  })

  test('N53: once, in one direction, and only what the preview showed', async () => {
    const [one, other] = [await account(), await account()]
    const [there, back] = [
      ok(await previewOf(one.id, other.id)).preview,
      ok(await previewOf(other.id, one.id)).preview,
    ]
    const answers = await Promise.all([
      ...Array.from({ length: 3 }, () => merge(one.id, other.id, there)),
      ...Array.from({ length: 3 }, () => merge(other.id, one.id, back)),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => ![200, 400, 404, 409].includes(status))).toEqual([])
    expect([await isThere(one.id), await isThere(other.id)].filter((each) => each)).toHaveLength(1)

    const [kept, gone] = [await account(), await account()]
    const changes: (() => ReturnType<Call>)[] = [
      () => api('PATCH', `/users/${gone.id}`, { name: 'Renamed' }, ANY),
      () => api('PATCH', `/users/${kept.id}`, { name: 'Renamed' }, ANY),
      () => api('PUT', `/groups/${world.group}/members/${gone.id}`),
    ]
    for (const change of changes) {
      const { preview } = ok(await previewOf(kept.id, gone.id))
      ok(await change())
      const { status, json } = await merge(kept.id, gone.id, preview)
      expect([status, json.detail]).toEqual([409, expect.stringContaining('preview')])
    }
    const { preview } = ok(await previewOf(kept.id, gone.id))
    const [mergedOne, deleted] = await Promise.all([
      merge(kept.id, gone.id, preview),
      api('DELETE', `/users/${gone.id}`, undefined, ANY),
    ])
    expect([200, 400, 409, 412]).toContain(mergedOne.status)
    expect([204, 404, 412]).toContain(deleted.status)
    expect(await isThere(gone.id)).toBe(false)
    expect(await isThere(kept.id)).toBe(true)
  })

  test('N54: not while one is about to be deleted, disabled, or has something open in an emergency', async () => {
    const leaving = await signedIn()
    const other = await account()
    await askDeletion(portal.op, leaving.session, leaving.email, FROM)
    for (const [kept, from] of [
      [leaving.id, other.id],
      [other.id, leaving.id],
    ] as const)
      expect((await previewOf(kept, from)).status).toBe(409)
    const off = await account({ enabled: false })
    expect((await previewOf(off.id, other.id)).status).toBe(409)

    const emergency = {
      people: [{ type: 'user', id: who.eve.id }],
      ...{ seconds: 1800, reviewSeconds: 3600 },
      reviewers: [{ type: 'user', id: who.ben.id }],
    }
    ok(await api('PATCH', `/request-rules/${world.rule}`, { emergency }, ANY))
    const eve = callAs(portal, await provedInProcess(portal, who.eve.id, 'eve'))
    const asked = { scope: WANTED, reason: 'The month end job is stuck', emergency: true }
    const opened = await made(eve, '/access-requests', asked)
    expect(opened.status).toBe('approved')
    const refusal = await previewOf(other.id, who.eve.id)
    expect([refusal.status, refusal.json.detail]).toEqual([
      409,
      expect.stringContaining('emergency'),
    ])
    ok(await eve('POST', `/access-requests/${opened.id}/revocation`, {}))
    // Once it is over, its review comes along, and the rule names the other account.
    await merged(other.id, who.eve.id)
    const rule = ok(await api('GET', `/request-rules/${world.rule}`))
    expect(rule.emergency.people).toMatchObject([{ type: 'user', id: other.id }])
    const review = { justified: true, reason: 'Agreed on the phone' }
    ok(await who.ben.call('POST', `/access-requests/${opened.id}/review`, review))
    // Who reviewed it becomes who opened it: somebody else has to look again.
    await merged(other.id, who.ben.id)
    const after = ok(await owner('GET', `/access-requests/${opened.id}`))
    expect(after.review).toMatchObject({ reviewedAt: null, reviewer: null, justified: null })
  })

  test('N56: nobody has decided about what is now their own, nor twice', async () => {
    const ask = async (call: Call, scope = WANTED): Promise<string> =>
      (await made(call, '/access-requests', { scope, reason: 'The year ends' })).id
    const approve = async (name: 'ann' | 'cleo' | 'dora', id: string) =>
      ok(await who[name].call('POST', `/access-requests/${id}/approval`, {}))
    const statusOf = async (id: string) => ok(await owner('GET', `/access-requests/${id}`)).status
    const requester = await signedIn()
    const email = requester.email
    const call = callAs(portal, await sessionOf(portal, { email, password: PASSWORD }))
    const given = await ask(call)
    for (const name of ['ann', 'cleo'] as const) await approve(name, given)
    expect(await isHeld(requester.id)).toBe(true)
    const wide = { patterns: ['ledger:*'], emergency: null }
    ok(await api('PATCH', `/request-rules/${world.rule}`, wide, ANY))
    const waiting = await ask(call, 'ledger:read')
    await approve('ann', waiting)
    const byOther = await signedIn()
    const login = { email: byOther.email, password: PASSWORD }
    const otherCall = callAs(portal, await sessionOf(portal, login))
    const twice = await ask(otherCall, 'ledger:read')
    await approve('ann', twice)

    // The approver gets the account of the requester.
    const preview = ok(await previewOf(who.ann.id, requester.id))
    expect(preview.ends).toMatchObject([
      { what: 'password' },
      { what: 'requests', names: ['ledger:read'] },
      { what: 'approved', names: [WANTED] },
    ])
    await merged(who.ann.id, requester.id)
    expect(await isHeld(who.ann.id)).toBe(false)
    expect(await statusOf(waiting)).toBe('failed')
    expect(await statusOf(twice)).toBe('pending')

    // Two approvers become one: their two votes would be those of one person.
    ok(
      await api(
        'PATCH',
        `/request-rules/${world.rule}`,
        {
          stages: [{ approvers: [{ type: 'group', id: world.group }], needed: 3 }],
        },
        ANY,
      ),
    )
    const third = await ask(otherCall)
    await approve('cleo', third)
    await approve('dora', third)
    await merged(who.cleo.id, who.dora.id)
    expect(await statusOf(third)).toBe('failed')
    // A vote on what somebody else asked for stays the vote of that person.
    expect((await who.ann.call('POST', `/access-requests/${twice}/approval`, {})).status).toBe(409)
  })

  test('N56: a decision of one account about the other in an access review is asked again', async () => {
    const [kept, reviewer] = [await account(), who.finn]
    const held = await role('reviewed')
    ok(await api('PUT', `/users/${kept.id}/roles/${held}`))
    const deadline = new Date(portal.op.now().getTime() + 7 * DAY_MS).toISOString()
    const reviewers = [who.ann.id, reviewer.id].map((id) => ({ type: 'user', id }))
    const over = { type: 'role', id: held }
    const review = await made(owner, '/reviews', { name: 'Review', over, reviewers, deadline })
    const items = async () => ok(await owner('GET', `/reviews/${review.id}/items`)).data
    const [item] = await items()
    const finn = callAs(portal, await sessionOf(portal, loginOf('finn')))
    const decisions = [{ item: item.id, decision: 'keep', comment: 'Needed' }]
    ok(await finn('POST', `/reviews/${review.id}/decisions`, { decisions }))
    expect((await items())[0]).toMatchObject({ decision: 'keep' })
    await merged(kept.id, reviewer.id, {}, owner)
    expect((await items())[0]).toMatchObject({ decision: null, decidedBy: null })
  })
})
