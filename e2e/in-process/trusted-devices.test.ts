import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { finishSignIn } from '../../lib/accounts/finish-sign-in'
import { listOwnDevices } from '../../lib/accounts/own-devices'
import { factorProof } from '../../lib/accounts/second-factor'
import { signInWithPassword } from '../../lib/accounts/sign-in'
import { DAY_MS } from '../../lib/base/time'
import { callApi, machineToken } from '../support/api'
import { ANY } from '../support/api-objects'
import { usually } from '../support/databases'
import { type App, enrolApp } from '../support/enrol'
import { type OpenPortal, openPortal } from '../support/in-process'

const FROM = { ip: '127.0.0.1', userAgent: 'test' }
const ID = 'usr_demo_alice'

describe.each(usually('sqlite'))('K9: a trusted device on %s', (kind) => {
  let portal: OpenPortal
  let app: App

  beforeAll(async () => {
    portal = await openPortal({ kind })
    app = await enrolApp(portal, { id: ID, email: alice().identifier })
  })
  afterAll(() => portal.stop())

  function alice() {
    const [{ email = '', password = '' } = {}] = portal.demo().users
    return { identifier: email, password }
  }
  /** With a new token: the clock of the portal moves by days. */
  const call = async (method: string, path: string, body?: unknown) =>
    callApi(portal, await machineToken(portal), method, path, body, ANY)
  async function trustFor(trustedDeviceDays: number) {
    const { status } = await call('PATCH', '/settings', { security: { trustedDeviceDays } })
    await portal.op.latestSnapshot()
    return status
  }
  /** The token of a device that Alice trusts with her second factor; null if that is not offered. */
  async function trusted(): Promise<string | null> {
    const { op } = portal
    const first = await signInWithPassword(op, alice(), FROM)
    if (!first.ok || first.step !== 'second_factor') throw new Error('no second factor')
    const typed = { code: app.next(), recovery: '', passkey: '' }
    const proof = await factorProof(op, ID, typed, FROM)
    if (!proof) throw new Error('nothing was typed')
    const done = await finishSignIn(op, first.waiting, ID, { proof, trust: true }, FROM)
    if (!done.ok) throw new Error(done.problem)
    return done.deviceToken
  }
  async function isAsked(deviceToken: string | null): Promise<boolean> {
    const deviceTokens = deviceToken === null ? [] : [deviceToken]
    const result = await signInWithPassword(portal.op, alice(), { ...FROM, deviceTokens })
    if (!result.ok) throw new Error(result.problem)
    return result.step === 'second_factor'
  }
  const listed = () => listOwnDevices(portal.op, { user: { id: ID } })

  test('is not asked for as long as the setting says; a shorter time holds at once', async () => {
    const device = await trusted()
    const where = { event: 'device.trusted', actorId: ID }
    expect(await portal.op.db.auditEntry.count({ where })).toBe(1)
    expect(await isAsked(device)).toBe(false)
    expect(await isAsked('ghdv_unknown')).toBe(true)
    portal.moveClock(2 * DAY_MS)
    expect(await isAsked(device)).toBe(false)
    await trustFor(1)
    expect([await isAsked(device), await listed()]).toEqual([true, []])
    await trustFor(3)
    expect(await isAsked(device)).toBe(false)
    const lives = (await listed()).map(({ createdAt, expiresAt }) => +expiresAt - +createdAt)
    expect(lives).toEqual([3 * DAY_MS])
    portal.moveClock(DAY_MS)
    expect(await isAsked(device)).toBe(true)
  })

  test('is not offered with 0 days, and nobody sets more than a year', async () => {
    await trustFor(30)
    const device = await trusted()
    await trustFor(0)
    expect([await isAsked(device), await trusted(), await listed()]).toEqual([true, null, []])
    expect([await trustFor(-1), await trustFor(366), await trustFor(30)]).toEqual([400, 400, 200])
  })

  test('ends when an admin removes the last authenticator app', async () => {
    const device = await trusted()
    await enrolApp(portal, { id: ID, email: alice().identifier })
    const [one, two] = (await call('GET', `/users/${ID}/factors`)).json.data
    const remove = ({ id }: { id: string }) => call('DELETE', `/users/${ID}/factors/${id}`)
    expect((await remove(one)).status).toBe(204)
    expect(await isAsked(device)).toBe(false)
    expect((await remove(two)).status).toBe(204)
    app = await enrolApp(portal, { id: ID, email: alice().identifier })
    expect(await isAsked(device)).toBe(true)
  })
})
