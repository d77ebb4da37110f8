import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { freshConfig } from '../../../e2e/support/fresh-config'
import { incoming } from '../../../e2e/support/protocol'
import { startSession } from '../../accounts/new-session'
import { deleteApplication } from '../../api/applications/applications'
import { applyConfiguration } from '../../api/configuration/apply'
import { configurationSchema } from '../../api/configuration/schema'
import { type Caller, userCaller } from '../../api/http/caller'
import type { AnyOperation } from '../../api/http/operation'
import { perform as performAny } from '../../api/http/perform'
import { deleteResource } from '../../api/permissions/resources'
import {
  createAccessRequest,
  listRequestable,
  previewAccessRequest,
} from '../../api/requests/asking-routes'
import { asGiven, newRequest, refusedNow, requireRequestable } from '../../api/requests/create'
import { give } from '../../api/requests/decide'
import { openInEmergency } from '../../api/requests/emergency'
import { reviewAccessRequest } from '../../api/requests/review-routes'
import {
  cancelAccessRequest,
  getAccessRequest,
  revokeAccessRequest,
} from '../../api/requests/routes'
import { changeRequestRule } from '../../api/requests/rule-routes'
import { toReviewFor } from '../../api/requests/waiting'
import { HOUR_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { openMail } from '../../delivery/mail/order'
import { createOp, type OpenOp } from '../../op'
import { markConfirmed } from '../../store/accounts/sessions'
import { removeApi } from '../../store/permissions/apis'
import { holdAsked } from '../../store/requests/approved-access'
import { removeOldRequests } from '../../store/requests/ends'
import { insertAccessRequest, type NewRequest } from '../../store/requests/steps'
import { remindReviewers, settleMissedReviews } from './emergency-reviews'

const named = (id: string) => ({ type: 'user', id })

describe.each(usually('sqlite'))('what was opened in an emergency, over time, on %s', (kind) => {
  let op: OpenOp
  let time = Date.now()

  beforeAll(async () => {
    const config = await freshConfig(kind, {
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'id@example.com',
    })
    op = await createOp(config, () => new Date(time))
    const names = ['root', 'anna', 'ben', 'cleo']
    await apply({
      users: names.map((username) => ({
        username,
        email: `${username}@x.org`,
        emailVerified: true,
        ...(username === 'root' && { adminRole: 'owner' }),
      })),
    })
  })
  afterAll(() => op.close())

  const apply = (more: object) =>
    applyConfiguration(op, configurationSchema.parse({ version: 1, ...more }), {
      env: {},
      dryRun: false,
    })
  const idOf = async (username: string) => (await op.users.idOf(username)) ?? ''

  /** An API whose permission Anna opens alone, and Ben reviews. */
  async function vault(prefix: string): Promise<string> {
    const permissions = ['open', 'read'].map((one) => ({
      key: `${prefix}:${one}`,
      needsRole: true,
    }))
    const resource = { prefix, name: prefix, audience: `https://${prefix}.test`, permissions }
    const stages = [{ approvers: [named('ben'), named('cleo')] }]
    const emergency = { people: [named('anna')], reviewers: [named('ben')], reviewSeconds: 7200 }
    await apply({
      spaces: [{ key: prefix, name: prefix, resources: [resource] }],
      requestRules: [
        { api: prefix, name: 'Opening', patterns: [`${prefix}:open`], stages, emergency },
      ],
    })
    return (await op.db.api.findUniqueOrThrow({ where: { prefix } })).id
  }

  /** With a second factor that was used just now. */
  async function atThePages(username: string): Promise<Caller> {
    const userId = await idOf(username)
    const login = { userId, acr: 'mfa', amr: ['otp'], userAgent: '', ip: null }
    const { id } = await op.write((tx) => startSession(op, tx, login as never))
    return { ...userCaller(userId, null), session: { id, through: 'pages' } }
  }

  type Asked = { params?: Record<string, string>; body?: unknown }
  async function perform(caller: Caller, operation: { id: string }, asked: Asked, at: Op = op) {
    const all = { params: {}, query: {}, body: undefined, ifMatch: '*', latest: true, ...asked }
    const request = { ...all, caller, incoming: incoming() }
    // biome-ignore lint/suspicious/noExplicitAny: what the schema has accepted, a test may look into
    return (await performAny(at, operation as AnyOperation, request)).body as any
  }

  async function askedBy(userId: string, scope: string) {
    const refused = await refusedNow(op, userId, scope)
    const whole = { reason: 'It does not answer', until: null, emergency: true, callback: null }
    const requestable = await requireRequestable(op, refused, '/scope')
    return { asked: { refused, ...whole, madeBy: null }, requestable }
  }
  const opened = async (scope: string) =>
    perform(await atThePages('anna'), createAccessRequest, {
      body: { scope, reason: 'It does not answer', emergency: true },
    })
  const removedBy = async (username: string, prefix: string) =>
    perform(userCaller(await idOf(username), 'owner'), deleteResource, {
      params: { space: prefix, id: prefix },
    })
  const settle = () => settleMissedReviews(op, () => true)
  const reviews = async (username: string, id: string) =>
    (await toReviewFor(op, await idOf(username), 10)).some((one) => one.id === id)
  const eventsOf = async (targetId: string) => {
    const entries = await op.db.auditEntry.findMany({
      where: { targetId },
      orderBy: { seq: 'asc' },
    })
    return entries.map(({ event }) => event)
  }
  /** What somebody was told about a request. */
  async function lettersTo(username: string, request: string): Promise<string[]> {
    const where = { kind: 'mail', targetId: await idOf(username) }
    const rows = await op.db.outboxMessage.findMany({ where, orderBy: { createdAt: 'asc' } })
    const orders = rows.map(({ id, payloadEncrypted }) =>
      openMail(op.outboxKey, id, payloadEncrypted),
    )
    return orders.flatMap((one) =>
      one.letter === 'access_request' && one.request === request ? [one.news] : [],
    )
  }
  const removed = async (apiId: string) => {
    const { id, version } = await op.db.api.findUniqueOrThrow({ where: { id: apiId } })
    return op.changePolicy((tx) => removeApi(tx, { id, version }, op.now()))
  }
  const grantsOf = (requestId: string) => op.db.grant.findMany({ where: { requestId } })

  /** Something is deleted after it was given, and before that is committed. */
  async function meanwhile(request: NewRequest, remove: () => Promise<unknown>): Promise<void> {
    let given = () => {}
    let goOn = () => {}
    const isGiven = new Promise<void>((done) => {
      given = done
    })
    const mayGoOn = new Promise<void>((done) => {
      goOn = done
    })
    const giving = op.changePolicy(async (tx) => {
      expect(await holdAsked(tx, request)).toBe(true)
      await insertAccessRequest(tx, request)
      expect(await give(op, tx, asGiven(op, request))).not.toBeNull()
      given()
      await mayGoOn
    })
    await isGiven
    const removing = remove()
    await sleep(300)
    goOn()
    await Promise.all([giving, removing])
  }

  test('Q75: an API that is deleted while something of it is given leaves nothing behind', async () => {
    const apiId = await vault('race')
    const { asked, requestable } = await askedBy(await idOf('anna'), 'race:open')
    const request = newRequest(op, asked, requestable.item, requestable.rule)
    await meanwhile(request, () => removed(apiId))
    expect(await grantsOf(request.id)).toEqual([])
  })

  test('Q78: what somebody opened at an application outlives it, with its review', async () => {
    await vault('through')
    const anna = await atThePages('anna')
    const made = async (id: string) => {
      const lists = { grantTypes: ['client_credentials'] }
      await apply({ applications: [{ id, kind: 'machine', name: id, ...lists }] })
    }
    const remove = (id: string) =>
      perform(userCaller('usr_owner', 'owner'), deleteApplication, { params: { id } })
    const through = async (applicationId: string) => {
      const { asked, requestable } = await askedBy(anna.id, 'through:open')
      return { requestable, asked: { ...asked, refused: { ...asked.refused, applicationId } } }
    }
    await made('app_one')
    const one = await through('app_one')
    const { id } = await openInEmergency(op, anna, one.asked, one.requestable, {
      actorKind: 'user',
      actorId: anna.id,
      ip: null,
    })
    await remove('app_one')
    expect(await reviews('ben', id)).toBe(true)
    const params = { request: id }
    expect(await perform(anna, getAccessRequest, { params })).toMatchObject({ application: null })
    await perform(anna, revokeAccessRequest, { params, body: {} })
    expect(await grantsOf(id)).toEqual([])

    // Also if it is deleted in the same moment.
    await made('app_two')
    const two = await through('app_two')
    const request = newRequest(op, two.asked, two.requestable.item, two.requestable.rule)
    await meanwhile(request, () => remove('app_two'))
    expect(await grantsOf(request.id)).toHaveLength(1)
    await perform(anna, revokeAccessRequest, { params: { request: request.id }, body: {} })
    expect(await grantsOf(request.id)).toEqual([])
    const late = op.changePolicy((tx) => holdAsked(tx, request))
    expect(await late).toBe(false)
    const body = { justified: true, reason: 'Seen' }
    await perform(await atThePages('ben'), reviewAccessRequest, { params, body })
  })

  test('Q76: with its API, what was opened ends and is told; the review counts until its deadline', async () => {
    const apiId = await vault('gone')
    const { id } = await opened('gone:open')
    expect(await reviews('ben', id)).toBe(true)
    await removedBy('root', 'gone')
    expect(await grantsOf(id)).toEqual([])
    expect(await eventsOf(id)).toEqual([
      'access_request.emergency_opened',
      'access_request.revoked',
    ])
    expect(await lettersTo('anna', id)).toEqual(['opened', 'revoked'])
    expect(await op.db.api.count({ where: { id: apiId } })).toBe(0)
    expect(await reviews('ben', id)).toBe(true)
    time += 3 * HOUR_MS
    expect(await settle()).toBe(1)
    expect(await settle()).toBe(0)
    for (const name of ['ben', 'root']) expect(await reviews(name, id)).toBe(false)
    expect((await eventsOf(id)).at(-1)).toBe('access_request.review_missed')
    expect(await lettersTo('anna', id)).toEqual(['opened', 'revoked'])
    const found = await op.db.accessRequest.findUniqueOrThrow({ where: { id } })
    expect(found).toMatchObject({ justified: null, reviewedAt: op.now(), reviewerId: null })
  })

  test('Q76: a review that is missing is closed with its API, and forgotten with old requests', async () => {
    await vault('late')
    const { id } = await opened('late:open')
    time += 3 * HOUR_MS
    expect(await settle()).toBe(1)
    expect([await reviews('ben', id), await reviews('root', id)]).toEqual([true, true])
    await removedBy('root', 'late')
    expect([await reviews('ben', id), await reviews('root', id)]).toEqual([false, false])
    const forget = () => op.write((tx) => removeOldRequests(tx, op.now()))
    await forget()
    expect(await op.db.accessRequest.count({ where: { id } })).toBe(1)
    time += HOUR_MS
    await forget()
    expect(await op.db.accessRequest.count({ where: { id } })).toBe(0)
  })

  test('Q77: what one asked for can be opened by its request; what others asked for cannot', async () => {
    await vault('asked')
    const anna = await atThePages('anna')
    const open = (request: string, caller: Caller, more = {}) =>
      perform(caller, createAccessRequest, {
        body: { request, reason: 'Nobody is there', emergency: true, ...more },
      })
    const ask = async (caller: Caller, scope = 'asked:open') =>
      (await perform(caller, createAccessRequest, { body: { scope, reason: 'Soon' } })).id
    const cleo = await atThePages('cleo')
    const theirs = await ask(cleo)
    await expect(open(theirs, anna)).rejects.toMatchObject({ code: 'not_found' })
    // Who is not named has asked already.
    expect(await open(theirs, cleo)).toMatchObject({ id: theirs, status: 'pending', review: null })
    const own = await ask(anna)
    const seen = await perform(anna, previewAccessRequest, { body: { request: own } })
    expect(seen).toMatchObject({ scope: 'asked:open', request: own, emergency: { seconds: 3600 } })
    const given = await open(own, anna)
    expect(given).toMatchObject({ status: 'approved', scope: 'asked:open', emergency: true })
    expect(given.id).not.toBe(own)
    await perform(cleo, cancelAccessRequest, { params: { request: theirs }, body: {} })
    await expect(open(theirs, cleo)).rejects.toMatchObject({ code: 'conflict' })
  })

  test('Q47: a second factor that was used earlier in the session opens nothing, nor does a password', async () => {
    await vault('stale')
    const anna = await atThePages('anna')
    const body = { scope: 'stale:open', reason: 'It does not answer', emergency: true }
    const { confirmMinutes } = (await op.settings.current()).security
    const refused = { code: 'second_factor_needed' }
    time += confirmMinutes * 60_000 + 1_000
    await expect(perform(anna, createAccessRequest, { body })).rejects.toMatchObject(refused)
    const id = anna.session?.id ?? ''
    await op.write((tx) => markConfirmed(tx, id, op.now(), false))
    await expect(perform(anna, createAccessRequest, { body })).rejects.toMatchObject(refused)
    await op.write((tx) => markConfirmed(tx, id, op.now(), true))
    const given = await perform(anna, createAccessRequest, { body })
    expect(given.status).toBe('approved')
    await perform(anna, revokeAccessRequest, { params: { request: given.id }, body: {} })
  })

  test('whether somebody is named is asked once for each rule, however many permissions it covers', async () => {
    await vault('many')
    const rule = await op.db.requestRule.findFirstOrThrow({ where: { api: { prefix: 'many' } } })
    const body = { patterns: ['many:*'] }
    const owner = userCaller(await idOf('root'), 'owner')
    await perform(owner, changeRequestRule, { params: { rule: rule.id }, body })
    let asked = 0
    const adminRoleOf = (id: string) => {
      asked += 1
      return op.users.adminRoleOf(id)
    }
    const counting = { ...op, users: { ...op.users, adminRoleOf } }
    const { data } = await perform(await atThePages('anna'), listRequestable, {}, counting)
    const many = data.filter(({ scope }: { scope: string }) => scope.startsWith('many:'))
    expect(many).toHaveLength(2)
    for (const { emergency } of many) expect(emergency).toMatchObject({ seconds: 3600 })
    const rules = new Set(data.map(({ rule: { id } }: { rule: { id: string } }) => id))
    expect(asked).toBe(rules.size)
  })

  test('a reviewer sees whether applications got what was opened', async () => {
    time += 25 * HOUR_MS // five a day
    await vault('used')
    const { id, user } = await opened('used:open')
    const ben = await atThePages('ben')
    const used = async () =>
      (await perform(ben, getAccessRequest, { params: { request: id } })).used
    expect(await used()).toEqual({ count: 0, lastAt: null, complete: true })
    const issued = { event: 'token.issued', result: 'success', actorKind: 'user' } as const
    const token = (...scope: string[]) =>
      op.write(async (_tx, audit) => {
        audit({ ...issued, actorId: user.id, applicationId: 'app', detail: { scope } })
      })
    time += 60_000
    await token('used:open', 'used:read')
    await token('used:read')
    const lastAt = op.now().toISOString()
    time += 60_000
    expect(await used()).toEqual({ count: 1, lastAt, complete: true })
    const asked = await perform(ben, createAccessRequest, {
      body: { scope: 'used:open', reason: 'Soon' },
    })
    const own = await perform(ben, getAccessRequest, { params: { request: asked.id } })
    expect(own.used).toBeNull()
  })

  test('the reviewers are reminded once, before the deadline, unless it is reviewed', async () => {
    time += 25 * HOUR_MS // five a day
    await vault('soon')
    await vault('done')
    const remind = () => remindReviewers(op, () => true)
    const [waits, reviewed] = [await opened('soon:open'), await opened('done:open')]
    const ben = await atThePages('ben')
    const body = { justified: true, reason: 'Seen' }
    await perform(ben, reviewAccessRequest, { params: { request: reviewed.id }, body })
    time += 1.5 * HOUR_MS - 1_000
    expect(await remind()).toBe(0)
    time += 2_000
    expect(await Promise.all([remind(), remind(), remind()])).toContain(1)
    expect(await remind()).toBe(0)
    expect(await lettersTo('ben', waits.id)).toEqual(['emergency', 'review_reminder'])
    expect(await lettersTo('root', waits.id)).toEqual(['emergency'])
    expect(await lettersTo('ben', reviewed.id)).toEqual(['emergency'])
  })

  test('if none of the reviewers is left, the owners of the portal are reminded', async () => {
    await vault('left')
    const { id } = await opened('left:open')
    await apply({ users: [{ username: 'ben', enabled: false }] })
    time += 1.75 * HOUR_MS
    expect(await remindReviewers(op, () => true)).toBe(1)
    expect(await lettersTo('root', id)).toEqual(['emergency', 'review_reminder'])
    await apply({ users: [{ username: 'ben', enabled: true }] })
  })
})
