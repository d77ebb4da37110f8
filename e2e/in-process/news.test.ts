import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSession } from '../../lib/accounts/new-session'
import { countUnread, listUnread, markRead } from '../../lib/accounts/news'
import { DAY_MS } from '../../lib/base/time'
import type { Session } from '../../lib/store/accounts/sessions'
import {
  made,
  ok,
  type Person,
  people,
  WANTED,
  type World,
  worldIn,
} from '../support/access-requests'
import { KINDS } from '../support/databases'
import { type OpenPortal, openPortal } from '../support/in-process'

/** What happened to an account since its user last read it. */

const NAMES = ['ann', 'ben', 'cid', 'zoe'] as const

describe.each(KINDS)('what happened to an account on %s', (kind) => {
  let portal: OpenPortal
  let who: Record<(typeof NAMES)[number], Person>
  let world: World

  beforeAll(async () => {
    portal = await openPortal({ kind })
    who = await people(portal, NAMES)
    world = await worldIn(portal, [who.ann, who.ben, who.cid])
  })
  afterAll(() => portal.stop())

  async function sessionOfZoe(): Promise<Session> {
    const headers = new Headers({ cookie: String(who.zoe.session.cookie) })
    const session = await portal.op.sessionOf({ headers })
    if (!session) throw new Error('Zoe is signed out')
    return session as Session
  }
  const unread = async () => {
    const session = await sessionOfZoe()
    const news = await listUnread(portal.op, session)
    expect(await countUnread(portal.op, session)).toBe(news.length)
    return news.map(({ kind: what }) => what)
  }
  const read = async (upTo = portal.op.now().toISOString()) =>
    markRead(portal.op, await sessionOfZoe(), upTo)
  const decided = async (how: 'approval' | 'denial', deciders: Person[]) => {
    const until = new Date(portal.op.now().getTime() + 60_000).toISOString()
    const asked = { scope: WANTED, reason: 'The year ends', until }
    const { id } = await made(who.zoe.call, '/access-requests', asked)
    for (const { call } of deciders) ok(await call('POST', `/access-requests/${id}/${how}`, {}))
  }

  test('is what others decided, until it is read', async () => {
    expect(await unread()).toEqual([])
    await decided('denial', [who.ann])
    expect(await unread()).toEqual(['denied'])
    await read()
    expect(await unread()).toEqual([])
    await decided('approval', [who.ann, who.ben])
    expect(await unread()).toEqual(['approved'])
    await read()
    portal.moveClock(61_000)
    expect(await unread()).toEqual(['ended'])
    await read()
  })

  test('is what a review took', async () => {
    const role = await made(world.api, '/spaces/demo/roles', { key: 'clerks', name: 'Clerks' })
    const subject = { type: 'user', id: who.zoe.id }
    await made(world.api, '/spaces/demo/assignments', { role: role.id, subject })
    const { id } = await made(world.api, '/reviews', {
      name: 'Clerks of the year',
      over: { type: 'role', id: role.id },
      reviewers: [{ type: 'user', id: who.ann.id }],
      deadline: new Date(Date.now() + 7 * DAY_MS).toISOString(),
    })
    const [item] = ok(await who.ann.call('GET', `/reviews/${id}/items`)).data
    const decisions = [{ item: item.id, decision: 'remove' }]
    ok(await who.ann.call('POST', `/reviews/${id}/decisions`, { decisions }))
    ok(await world.api('POST', `/reviews/${id}/closure`, {}))
    expect(await unread()).toEqual(['removed'])
    await read()
  })

  test('is a sign-in from a new device, for the other devices', async () => {
    const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const from = { userId: who.zoe.id, ip: '203.0.113.9', userAgent, acr: 'pwd', amr: ['pwd'] }
    await portal.op.write((tx) => startSession(portal.op, tx, from))
    expect(await unread()).toEqual(['device'])
    await portal.op.write((tx) => startSession(portal.op, tx, from)) // no longer new
    expect(await unread()).toEqual(['device'])
    await read()
  })

  test('M34: a time that is none marks nothing, and one to come only what is there', async () => {
    await decided('denial', [who.ann])
    for (const upTo of ['', 'tomorrow', '\0', '1e99']) await read(upTo)
    expect(await unread()).toEqual(['denied'])
    await read('2999-01-01T00:00:00.000Z')
    expect(await unread()).toEqual([])
    portal.moveClock(1_000)
    await decided('denial', [who.ann])
    expect(await unread()).toEqual(['denied'])
    await read('2001-01-01T00:00:00.000Z')
    expect(await unread()).toEqual(['denied'])
  })

  test('is forgotten after thirty days', async () => {
    expect(await unread()).toEqual(['denied'])
    portal.moveClock(31 * DAY_MS)
    const session = { ...(await laterSession()), newsReadAt: null }
    expect(await listUnread(portal.op, session)).toEqual([])
  })

  /** Hers is long over by then. */
  async function laterSession(): Promise<Session> {
    const from = { userId: who.zoe.id, ip: null, userAgent: '', acr: 'pwd', amr: ['pwd'] }
    const { id } = await portal.op.write((tx) => startSession(portal.op, tx, from))
    return { id, user: { id: who.zoe.id } } as Session
  }
})
