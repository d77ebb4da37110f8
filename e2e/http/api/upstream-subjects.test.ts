import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, caller, machineToken } from '../../support/api'
import { demoDatabase, usually } from '../../support/databases'
import { OldBrowser } from '../../support/old-browser'
import { type Portal, startPortal } from '../../support/portal'
import { STAND_IN_SECRET, type StandIn, startStandIn } from '../../support/stand-in'
import { goThrough } from '../../support/upstream'

/** A user as their provider calls them: who came through it, and whom nobody else is taken for. */

describe.each(usually('sqlite'))('{issuer, subject} on %s', (kind) => {
  let standIn: StandIn
  let portal: Portal
  let api: Call

  beforeAll(async () => {
    standIn = await startStandIn()
    const provider = {
      ...{ id: 'stand-in', kind: 'oidc', name: 'Stand-in', issuer: standIn.origin },
      ...{ clientId: 'portal', clientSecret: 'env:STAND_IN_SECRET' },
    }
    const env = {
      DATABASE_URL: await demoDatabase[kind](),
      REGISTRATION: 'open',
      UPSTREAM_PROVIDERS: JSON.stringify([provider]),
      OUTBOUND_HOSTS: new URL(standIn.origin).host,
      STAND_IN_SECRET,
    }
    portal = await startPortal({ args: ['--demo'], env })
    api = caller(portal, await machineToken(portal))
  })
  afterAll(async () => {
    await portal.stop()
    await standIn.stop()
  })

  async function comesThrough(sub: string): Promise<void> {
    const person = { sub, name: sub, email: `${sub}@in.test`, email_verified: true }
    standIn.script = { person }
    const browser = new OldBrowser(portal.origin)
    await goThrough(browser)
    expect(browser.cookies.has('gatehouse.session')).toBe(true)
  }

  test('check, explain and batch know a user by what their provider calls them', async () => {
    await comesThrough('person-a')
    await comesThrough('person-b')
    const { data } = (await api('GET', '/users?q=person-a')).json
    expect(data).toHaveLength(1)
    const assignment = { role: 'clerk', subject: { type: 'user', id: data[0].id } }
    expect((await api('POST', '/spaces/demo/assignments', assignment)).status).toBe(201)

    const permission = 'orders:read'
    const named = (subject: string, issuer = standIn.origin) => ({ issuer, subject })
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
    const known = { issuer: standIn.origin, subject: 'person-d' }
    expect(await statusOf(known)).toBe(200)
    for (const user of [
      { ...known, issuer: `${standIn.origin}/` },
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
