import { beforeAll, describe, expect, test } from 'vitest'
import { pauseApp, resumeApp } from '../../lib/accounts/connected-apps'
import { tilesOf } from '../../lib/accounts/home'
import type { Session } from '../../lib/store/accounts/sessions'
import { call, changed, created, portal, startApi } from '../support/api-objects'
import { usually } from '../support/databases'
import { aliceAtWeb } from '../support/flow'

/** The applications that a user opens from the portal. */

const WEB = 'app_demo_web'
const START = 'https://shop.example/sign-in'
const ORIGIN = { ip: '127.0.0.1', userAgent: '' }

describe.each(usually('sqlite'))('the home of users on %s', (kind) => {
  let alice: Session

  startApi(kind)
  beforeAll(async () => {
    const browser = await aliceAtWeb(portal)
    const headers = new Headers({ cookie: browser.cookieHeader() })
    const session = await portal.op.sessionOf({ headers })
    if (!session) throw new Error('Alice is signed out')
    alice = session as Session
  })

  const names = async () => (await tilesOf(portal.op, alice)).map(({ name }) => name)
  const set = async (body: object, id = WEB) =>
    expect((await changed('PATCH', `/applications/${id}`, body)).status).toBe(200)

  test('is a link to the start of its sign-in, with our issuer, of what they agreed to', async () => {
    expect(await names()).toEqual([])
    await set({ initiateLoginUri: START })
    const [tile] = await tilesOf(portal.op, alice)
    expect(tile?.href).toBe(`${START}?iss=${encodeURIComponent(portal.op.issuer)}`)
    await pauseApp(portal.op, alice, WEB, ORIGIN)
    expect(await names()).toEqual([])
    await resumeApp(portal.op, alice, WEB, ORIGIN)
    await set({ enabled: false })
    expect(await names()).toEqual([])
    await set({ enabled: true, initiateLoginUri: null })
  })

  test('N17: a link that is not https is refused', async () => {
    for (const initiateLoginUri of ['http://shop.example/', 'javascript:alert(1)', '/login'])
      expect((await changed('PATCH', `/applications/${WEB}`, { initiateLoginUri })).status).toBe(
        400,
      )
  })

  test('shows what belongs to us before it was used, to those who may use it', async () => {
    const made = { kind: 'web', initiateLoginUri: START, redirectUris: ['https://shop.example/cb'] }
    const ours = { ...made, firstParty: true }
    await created('/applications', { ...made, name: 'Of strangers' })
    await created('/applications', {
      ...ours,
      name: 'Ours for clerks',
      requiredScopes: ['orders:refund'],
    })
    const { id } = await created('/applications', { ...ours, name: 'Ours' })
    expect(await names()).toEqual(['Ours'])
    await call('DELETE', `/applications/${id}`, undefined, { 'if-match': '*' })
    expect(await names()).toEqual([])
  })
})
