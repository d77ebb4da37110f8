import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInWithUpstream } from '../../../lib/accounts/upstream'
import { type Call, caller, machineToken } from '../../support/api'
import { usually } from '../../support/databases'
import { type OpenPortal, openPortal } from '../../support/in-process'

/** A user as their provider calls them: who came through it, and whom nobody else is taken for. */

const ISSUER = 'https://login.in.test'

describe.each(usually('sqlite'))('{issuer, subject} on %s', (kind) => {
  let portal: OpenPortal
  let api: Call

  beforeAll(async () => {
    portal = await openPortal({ kind, env: { REGISTRATION: 'open' } })
    api = caller(portal, await machineToken(portal))
  })
  afterAll(() => portal.stop())

  /** As somebody whose provider said this of them; e2e/http/upstream-* goes through a real one. */
  async function comesThrough(subject: string): Promise<void> {
    const result = await signInWithUpstream(portal.op, {
      ip: null,
      userAgent: 'a test',
      locale: 'en',
      returnTo: '/',
      provenAt: null,
      person: {
        issuer: ISSUER,
        subject,
        email: `${subject}@in.test`,
        emailVerified: true,
        name: subject,
        username: null,
        profile: {},
        authTime: null,
      },
    })
    expect(result).toMatchObject({ ok: true, step: 'session' })
  }

  test('check, explain and batch know a user by what their provider calls them', async () => {
    await comesThrough('person-a')
    await comesThrough('person-b')
    const { data } = (await api('GET', '/users?q=person-a')).json
    expect(data).toHaveLength(1)
    const assignment = { role: 'clerk', subject: { type: 'user', id: data[0].id } }
    expect((await api('POST', '/spaces/demo/assignments', assignment)).status).toBe(201)

    const permission = 'orders:read'
    const named = (subject: string, issuer = ISSUER) => ({ issuer, subject })
    const ask = async (path: string, user: unknown) =>
      (await api('POST', `/permissions/${path}`, { user, permission })).json
    expect(await ask('check', data[0].id)).toMatchObject({ allowed: true })
    expect(await ask('check', named('person-a'))).toMatchObject({ allowed: true })
    expect(await ask('check', named('person-b'))).toMatchObject({ allowed: false })

    const explained = await ask('explain', named('person-a'))
    expect(explained).toEqual(await ask('explain', data[0].id))
    expect(explained.path[0].roles).toContain('clerk')

    const users = [named('person-a'), named('person-b'), named('person-c')]
    const checks = users.map((user) => ({ user, permission }))
    const { json } = await api('POST', '/permissions/check:batch', { checks })
    expect(json.results.map(({ allowed }: { allowed: boolean }) => allowed)).toEqual([
      true,
      false,
      false,
    ])
  })

  test('nobody is taken for them: not at another issuer, nor in other letters, nor once disconnected', async () => {
    await comesThrough('person-d')
    const permission = 'orders:read'
    const statusOf = async (user: unknown) =>
      (await api('POST', '/permissions/check', { user, permission })).status
    const known = { issuer: ISSUER, subject: 'person-d' }
    expect(await statusOf(known)).toBe(200)
    for (const user of [
      { ...known, issuer: `${ISSUER}/` },
      { ...known, issuer: 'https://elsewhere.example' },
      { ...known, subject: 'PERSON-D' },
      { ...known, subject: 'person-d ' },
    ]) {
      expect([user, await statusOf(user)]).toEqual([user, 404])
    }
    const [{ id }] = (await api('GET', '/users?q=person-d')).json.data
    const [factor] = (await api('GET', `/users/${id}/factors`)).json.data
    expect((await api('DELETE', `/users/${id}/factors/${factor.id}`)).status).toBe(204)
    expect(await statusOf(known)).toBe(404)
  })
})
