import { afterAll, beforeAll } from 'vitest'
import { type Call, caller, machineToken } from './api'
import { demoDatabase, type Kind } from './databases'
import { type Portal, startPortal } from './portal'

/** What the tests of the permission API share: two portals on one database. */

export const ALICE = 'usr_demo_alice'

export let portal: Portal
export let second: Portal
export let api: Call
export let token: string

export function startPermissionApi(kind: Kind): void {
  beforeAll(async () => {
    const DATABASE_URL = await demoDatabase[kind]()
    portal = await startPortal({ args: ['--demo'], env: { DATABASE_URL } })
    const { PORT: _taken, ...shared } = portal.env
    second = await startPortal({ env: { ...shared, ISSUER: portal.origin } })
    token = await machineToken(portal)
    api = caller(portal, token)
  })
  afterAll(async () => {
    await second.stop()
    await portal.stop()
  })
}

export const check = async (permission: string, more: object = {}, by: Call = api) =>
  (await by('POST', '/permissions/check', { user: ALICE, permission, ...more })).json.allowed
export const etag = async (path: string) => (await api('GET', path)).headers.etag ?? ''
export const fresh = { consistency: 'higher' }

export const roleId = async (key: string) =>
  String((await api('GET', `/spaces/demo/roles/${key}`)).json.id)
