import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyOutbox } from '../../lib/delivery/deliver'
import { settleOverdue } from '../../lib/operations/scheduled/access-requests'
import {
  ANY,
  made,
  ok,
  type Person,
  people,
  WANTED,
  type World,
  worldIn,
} from '../support/access-requests'
import { usually } from '../support/databases'
import { type OpenPortal, openPortal } from '../support/in-process'
import { type MailServer, startMailServer } from '../support/smtp'

/** Who sees that a request waits for them, and what ends with the API that it is about. */

const NAMES = ['ann', 'ben', 'cleo', 'dora', 'eve'] as const

describe.each(usually('sqlite'))('access requests that wait, on %s', (kind) => {
  let mails: MailServer
  let portal: OpenPortal
  let who: Record<(typeof NAMES)[number], Person>
  let world: World

  beforeAll(async () => {
    mails = await startMailServer()
    const env = { SMTP_URL: mails.url, MAIL_FROM: 'id@example.com' }
    portal = await openPortal({ kind, env })
    who = await people(portal, NAMES)
    const askers = `user.id in ${JSON.stringify([who.cleo.id, who.dora.id, who.eve.id])}`
    world = await worldIn(portal, [who.ann, who.ben], { askers })
  })
  afterAll(async () => {
    await portal.stop()
    await mails.close()
  })

  const ask = async (call: Person['call'], scope: string): Promise<string> =>
    (await made(call, '/access-requests', { scope, reason: 'The year ends' })).id
  const approve = async ({ call }: Person, id: string): Promise<string> =>
    ok(await call('POST', `/access-requests/${id}/approval`, {})).status
  const statusOf = async ({ call }: Person, id: string): Promise<string> =>
    ok(await call('GET', `/access-requests/${id}`)).status
  /** Who sees each of them among what waits. */
  const seenBy = async (id: string) => {
    const seen: string[] = []
    for (const name of NAMES) {
      const { data } = ok(await who[name].call('GET', '/access-requests?view=decide'))
      if (data.some((one: { id: string }) => one.id === id)) seen.push(name)
    }
    return seen
  }

  test('Q60: each sees what waits for them: by group, by manager, in the next step', async () => {
    const group = { type: 'group', id: world.group }
    const boss = { type: 'manager', attribute: 'boss' }
    const attributes = { boss: 'dora@requests.example' }
    ok(await world.api('PATCH', `/users/${who.eve.id}`, { attributes }, ANY))
    const { id: rule } = await made(world.api, '/request-rules', {
      api: 'ledger',
      name: 'Reading',
      patterns: ['ledger:read'],
      askers: `user.id == "${who.eve.id}"`,
      stages: [group, boss].map((approver) => ({ approvers: [approver], needed: 1 })),
    })
    const byGroup = await ask(who.cleo.call, WANTED)
    const bySteps = await ask(who.eve.call, 'ledger:read')
    expect(await seenBy(byGroup)).toEqual(['ann', 'ben'])
    expect(await seenBy(bySteps)).toEqual(['ann', 'ben'])
    expect(await approve(who.ann, byGroup)).toBe('pending')
    expect(await seenBy(byGroup)).toEqual(['ben'])
    expect(await approve(who.ann, bySteps)).toBe('pending')
    expect(await seenBy(bySteps)).toEqual(['dora'])
    expect(await approve(who.dora, bySteps)).toBe('approved')
    expect(await seenBy(bySteps)).toEqual([])
    ok(await world.api('DELETE', `/groups/${world.group}/members/${who.ben.id}`))
    expect(await seenBy(byGroup)).toEqual([])
    ok(await world.api('PUT', `/groups/${world.group}/members/${who.ben.id}`))
    expect(await approve(who.ben, byGroup)).toBe('approved')
    ok(await world.api('DELETE', `/request-rules/${rule}`, undefined, ANY))
  })

  test('Q40: whose access somebody else ends gets a mail, and sees the request', async () => {
    const { data } = ok(await who.cleo.call('GET', '/access-requests'))
    const id = data[0].id
    const path = `/access-requests/${id}/revocation`
    expect(ok(await world.api('POST', path, { reason: 'A mistake' })).may.revoke).toBe(false)
    await emptyOutbox(portal.op, () => true)
    const told = mails.received.find(
      ({ to, subject }) =>
        to.includes('cleo@requests.example') && subject === 'Your access was ended',
    )
    expect(told?.text).toContain(`${portal.origin}/account/access/${id}`)
  })

  test('an owner of the API lists the requests for it; others do not', async () => {
    const path = `/access-requests?view=all&api=${world.apiId}`
    expect((await who.dora.call('GET', path)).status).toBe(403)
    const where = `/spaces/demo/resources/${world.apiId}`
    const owners = [{ type: 'user', id: who.dora.id }]
    ok(await world.api('PATCH', where, { owners }, ANY))
    expect(ok(await who.dora.call('GET', path)).data).toHaveLength(2)
    expect((await who.dora.call('GET', '/access-requests?view=all')).status).toBe(403)
  })

  test('Q61: with an API end the requests for it, and what they gave', async () => {
    const given = await ask(who.cleo.call, WANTED)
    for (const person of [who.ann, who.ben]) await approve(person, given)
    const open = await ask(who.dora.call, WANTED)
    const isHeld = async () => {
      const asked = { user: who.cleo.id, permission: WANTED }
      return ok(await world.api('POST', '/permissions/check', asked)).allowed
    }
    expect(await isHeld()).toBe(true)
    ok(await world.api('DELETE', `/spaces/demo/resources/${world.apiId}`, undefined, ANY))
    await settleOverdue(portal.op, () => true)
    expect(await statusOf(who.dora, open)).toBe('failed')
    const ended = ok(await who.cleo.call('GET', `/access-requests/${given}`))
    expect(new Date(ended.approvedUntil).getTime()).toBeLessThanOrEqual(portal.op.now().getTime())
    expect(ended.may.revoke).toBe(false)
    const again = { prefix: 'ledger', name: 'Another', audience: 'https://ledger.example' }
    await made(world.api, '/spaces/demo/resources', again)
    const item = { resource: 'ledger', descriptions: { en: 'Close' }, needsRole: true }
    ok(await world.api('PUT', `/spaces/demo/permissions/${WANTED}`, item))
    expect(await isHeld()).toBe(false)
  })
})
