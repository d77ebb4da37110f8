import { afterAll, beforeAll } from 'vitest'
import { type Call, caller, machineToken } from './api'
import type { Kind } from './databases'
import { type OpenPortal, openPortal, openSecond } from './in-process'

/** What the tests of the permission API share: two portals on one database. */

export const ALICE = 'usr_demo_alice'

export let portal: OpenPortal
export let second: OpenPortal
export let api: Call
export let token: string

export function startPermissionApi(kind: Kind): void {
  beforeAll(async () => {
    portal = await openPortal({ kind })
    second = await openSecond(portal)
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
