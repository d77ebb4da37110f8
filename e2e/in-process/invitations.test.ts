import { describe, expect, test } from 'vitest'
import { acceptInvitation, openInvitation } from '../../lib/accounts/invitation'
import { newChallenge } from '../../lib/accounts/passkeys'
import { inviterOf, newLink } from '../../lib/delivery/mail/write'
import { callApi } from '../support/api'
import {
  ANY,
  as,
  call,
  changed,
  created,
  getToken,
  grant,
  machine,
  owner,
  portal,
  read,
  startApi,
  unique,
} from '../support/api-objects'
import { usually } from '../support/databases'
import { enrolApp } from '../support/enrol'
import { SoftAuthenticator } from '../support/soft-authenticator'

/** Somebody who is invited: who invites them, how they will sign in, and that they are signed in. */

const PASSWORD = 'correct horse battery staple'
const FROM = { ip: '127.0.0.1', userAgent: 'test' }

describe.each(usually('postgres'))('invitations on %s', (kind) => {
  startApi(kind)

  async function invited(by: typeof call = call) {
    const email = `${unique('ivo')}@example.org`
    const { id } = await created('/users', { name: 'Ivo', email })
    const { status, json, raw } = await by('POST', `/users/${id}/invitation`, { returnLink: true })
    expect(status, raw).toBe(201)
    const token = new URL(json.link).searchParams.get('token') ?? ''
    return { id: id as string, email, token, answer: json }
  }
  const byOwner: typeof call = (method, path, body) => as(owner, method, path, body, ANY)
  const open = (secret: string) =>
    portal.op.sessions.find(portal.op.hashSecret(secret), portal.op.now())
  const passkeyFor = (userId: string) =>
    new SoftAuthenticator().create({
      challenge: newChallenge(portal.op, { for: 'register', userId }),
      origin: portal.origin,
      rpId: new URL(portal.origin).hostname,
    })

  test('a password signs them in, and the link is used up', async () => {
    const { id, token } = await invited()
    const done = await acceptInvitation(portal.op, { token, password: PASSWORD }, FROM)
    expect(done).toMatchObject({ ok: true, method: 'password', started: { userId: id } })
    const session = await open(done.ok ? (done.started?.secret ?? '') : '')
    expect(session).toMatchObject({ user: { id }, acr: 'pwd' })
    expect(await openInvitation(portal.op, token)).toBeNull()
    const again = await acceptInvitation(portal.op, { token, password: PASSWORD }, FROM)
    expect(again).toEqual({ ok: false, problem: 'link' })
  })

  test('a passkey signs them in with two factors, and there is no password', async () => {
    const { id, token } = await invited()
    const done = await acceptInvitation(portal.op, { token, passkey: passkeyFor(id) }, FROM)
    expect(done).toMatchObject({ ok: true, method: 'passkey', started: { userId: id } })
    expect(await open(done.ok ? (done.started?.secret ?? '') : '')).toMatchObject({ acr: 'phr' })
    const factors = await call('GET', `/users/${id}/factors`)
    expect(factors.json).toMatchObject({ password: false, data: [{ kind: 'passkey' }] })
  })

  test('M25: a passkey that was made for somebody else opens nothing; of two at once one does', async () => {
    const { id, token } = await invited()
    const foreign = { token, passkey: passkeyFor('usr_demo_bob') }
    const refused = await acceptInvitation(portal.op, foreign, FROM)
    expect(refused).toEqual({ ok: false, problem: 'passkey' })
    const answers = await Promise.all([
      acceptInvitation(portal.op, { token, passkey: passkeyFor(id) }, FROM),
      acceptInvitation(portal.op, { token, passkey: passkeyFor(id) }, FROM),
      acceptInvitation(portal.op, { token, password: PASSWORD }, FROM),
    ])
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  })

  test('M25: of the link in the mail and the one in the answer, sent at once, one opens the account', async () => {
    const { id, email, token } = await invited()
    const link = { purpose: 'invite', path: '/invite' } as const
    const bearer = { userId: id, email }
    const mailed = await portal.op.write((tx) => newLink(portal.op, tx, bearer, link))
    const other = new URL(mailed).searchParams.get('token') ?? ''
    const answers = await Promise.all(
      [token, other].map((each) =>
        acceptInvitation(portal.op, { token: each, passkey: passkeyFor(id) }, FROM),
      ),
    )
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect((await call('GET', `/users/${id}/factors`)).json.data).toHaveLength(1)
  })

  test('M7: an authenticator app is still asked for: only a password is set, and nobody is signed in', async () => {
    const { id, email, token } = await invited()
    await acceptInvitation(portal.op, { token, passkey: passkeyFor(id) }, FROM)
    await enrolApp(portal, { id, email })
    const factors = await call('GET', `/users/${id}/factors`)
    const passkey = factors.json.data.find(({ kind: of }: { kind: string }) => of === 'passkey')
    const removed = await call('DELETE', `/users/${id}/factors/${passkey.id}`)
    expect(removed.status, removed.raw).toBe(204)
    const again = await call('POST', `/users/${id}/invitation`, { returnLink: true })
    const next = new URL(again.json.link).searchParams.get('token') ?? ''
    const byKey = { token: next, passkey: passkeyFor(id) }
    expect(await acceptInvitation(portal.op, byKey, FROM)).toEqual({
      ok: false,
      problem: 'passkey',
    })
    const byPassword = await acceptInvitation(portal.op, { token: next, password: PASSWORD }, FROM)
    expect(byPassword).toEqual({ ok: true, method: 'password', started: null })
    expect((await call('GET', `/users/${id}/factors`)).json).toMatchObject({ password: true })
  })

  test('the page names the person who invites; an application has no name there', async () => {
    const inviterIn = async (token: string) => {
      const bearer = await openInvitation(portal.op, token)
      return bearer && portal.op.read((db) => inviterOf(db, bearer))
    }
    const { json } = await as(owner, 'GET', '/users?adminRole=owner')
    expect(await inviterIn((await invited(byOwner)).token)).toBe(json.data[0].name)
    expect(await inviterIn((await invited()).token)).toBeNull()
  })

  const stateOf = async (id: string) => (await read(`/users/${id}/overview`)).json
  const newRole = async (more: object = {}): Promise<string> =>
    (await created('/spaces/demo/roles', { key: unique('hired'), name: 'Hired', ...more })).id

  test('in one call a user is added, gets roles and is invited; the overview says how far they are', async () => {
    const role = await newRole()
    const email = `${unique('olga')}@example.org`
    const body = { name: 'Olga', email, roles: [role, role], invite: { returnLink: true } }
    const { id, invitation } = await created('/users', body)
    expect(invitation).toMatchObject({ to: email, mailed: false })
    expect(await stateOf(id)).toMatchObject({
      state: 'invited',
      invitedUntil: expect.any(String),
      lastSignInAt: null,
      password: false,
      access: { roles: [{ role, group: null }], groups: [], approved: [] },
    })
    const token = new URL(invitation.link).searchParams.get('token') ?? ''
    expect(await acceptInvitation(portal.op, { token, password: PASSWORD }, FROM)).toMatchObject({
      ok: true,
    })
    const after = await stateOf(id)
    expect(after).toMatchObject({ state: 'enabled', invitedUntil: null, password: true })
    expect(after.lastSignInAt).not.toBeNull()
    expect(after.sessions).toHaveLength(1)
    await portal.op.settled()
    const { data } = (await read(`/audit-events?targetId=${id}&actorKind=client`)).json
    expect(data.map(({ event }: { event: string }) => event).sort()).toEqual([
      ...['assignment.created', 'user.created', 'user.invited'],
    ])
    expect((await changed('PATCH', `/users/${id}`, { enabled: false })).status).toBe(200)
    expect((await stateOf(id)).state).toBe('disabled')
    const { id: alone } = await created('/users', { username: unique('alone') })
    expect((await stateOf(alone)).state).toBe('no_way_in')
  })

  test('N57: nobody adds a user with a role that they could not give, or one who cannot be invited', async () => {
    const { id: client, secret } = await machine()
    await grant(client, ['users:write', 'users:read'])
    const answer = await getToken(client, secret, 'users:write users:read')
    const hr: typeof call = (method, path, body) =>
      callApi(portal, JSON.parse(answer.body).access_token, method, path, body)
    const username = unique('nobody')
    const refused = async (body: object, by = hr) => {
      const { status, json } = await by('POST', '/users', { username, ...body })
      return [status, json.missing ?? json.errors?.[0].code ?? json.code]
    }
    const role = await newRole()
    expect(await refused({ roles: [role] })).toEqual([403, ['assignments:write']])
    expect(await refused({ roles: ['rol_none'] })).toEqual([403, ['assignments:write']])
    expect(await refused({ roles: ['rol_none'] }, call)).toEqual([400, 'no_role'])
    expect(await refused({ invite: {} })).toEqual([400, 'email_missing'])
    const off = { email: `${username}@example.org`, enabled: false, invite: {} }
    expect(await refused(off)).toEqual([400, 'user_disabled'])
    expect((await call('GET', `/users/${username}`)).status).toBe(404)
    expect((await hr('POST', '/users', { username, roles: [] })).status).toBe(201)
    expect((await hr('GET', `/users/${username}/overview`)).json.access).toBeNull()
  })

  test('without a mail server, the answer does not say that a mail was sent', async () => {
    expect((await invited()).answer).toMatchObject({ mailed: false })
  })
})
