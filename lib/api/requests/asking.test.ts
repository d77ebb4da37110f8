import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type DocumentHost, startDocumentHost } from '../../../e2e/support/document-host'
import { freshConfig } from '../../../e2e/support/fresh-config'
import { incoming } from '../../../e2e/support/protocol'
import { startSession } from '../../accounts/new-session'
import { HOUR_MS } from '../../base/time'
import { openMail } from '../../delivery/mail/order'
import { accessRequestOf } from '../../oidc/access-request'
import { createOp, type OpenOp } from '../../op'
import { settleOverdue } from '../../operations/scheduled/access-requests'
import { settleMissedReviews } from '../../operations/scheduled/emergency-reviews'
import { listItems } from '../../store/reviews/lists'
import { deleteApplication } from '../applications/applications'
import { accessRequestEndpoint } from '../authzen/request'
import { applyConfiguration } from '../configuration/apply'
import { configurationSchema } from '../configuration/schema'
import { type Caller, userCaller } from '../http/caller'
import type { AnyOperation, Call } from '../http/operation'
import { perform as performAny } from '../http/perform'
import { ensureDocumentClient } from '../registration/document-client'
import { closeNow, goOnClosing } from '../reviews/close'
import { decideItems } from '../reviews/decide'
import { startReview } from '../reviews/start'
import { requireVisible } from '../reviews/visible'
import { createAccessRequest, listRequestable, previewAccessRequest } from './asking-routes'
import type { RefusedScopeRef } from './create'
import { reviewAccessRequest } from './review-routes'
import {
  approveAccessRequest,
  cancelAccessRequest,
  getAccessRequest,
  revokeAccessRequest,
} from './routes'
import { createRequestRule } from './rule-routes'

const named = (id: string) => ({ type: 'user', id })
const wrongAt = (pointer: string, code?: string) => ({
  options: { errors: [{ pointer, ...(code && { code }) }] },
})

describe.each(usually('sqlite'))('asking for access, in one process, on %s', (kind) => {
  let op: OpenOp
  let site: DocumentHost
  let time = Date.now()

  beforeAll(async () => {
    site = await startDocumentHost()
    // Its certificate is made for tests.
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const config = await freshConfig(kind, {
      REGISTRATION_OUTBOUND_HOSTS: site.host,
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'id@example.com',
    })
    op = await createOp(config, () => new Date(time))
    const resource = { prefix: 'vault', name: 'Vault', audience: 'https://vault.test' }
    const permissions = ['open', 'read', 'team'].map((one) => ({
      key: `vault:${one}`,
      needsRole: true,
    }))
    const stages = [{ approvers: [named('ben'), named('cleo')] }]
    const times = { seconds: 14_400, reviewSeconds: 7_200 }
    const emergency = { people: [named('anna')], reviewers: [named('ben')], ...times }
    const rule = { api: 'vault', stages, reasonRequired: false, maxSeconds: 86_400 }
    await apply({
      settings: { clientRegistration: { mode: 'open', documents: true } },
      users: ['root', 'anna', 'ben', 'cleo'].map((username) => ({
        username,
        email: `${username}@x.org`,
        emailVerified: true,
        ...(username === 'root' && { adminRole: 'owner' }),
      })),
      spaces: [{ key: 'vault', name: 'Vault', resources: [{ ...resource, permissions }] }],
      requestRules: [
        { ...rule, name: 'Reading', patterns: ['vault:read'] },
        { ...rule, name: 'Opening', patterns: ['vault:open'], emergency },
      ],
    })
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await op.close()
    site.close()
  })

  const apply = (more: object) =>
    applyConfiguration(op, configurationSchema.parse({ version: 1, ...more }), {
      env: {},
      dryRun: false,
    })
  const idOf = async (username: string) => (await op.users.idOf(username)) ?? ''
  const owner = async () => userCaller(await idOf('root'), 'owner')

  /** With a second factor that was used just now. */
  async function atThePages(username: string): Promise<Caller> {
    const userId = await idOf(username)
    const login = { userId, acr: 'mfa', amr: ['otp'], userAgent: '', ip: null }
    const { id } = await op.write((tx) => startSession(op, tx, login as never))
    return { ...userCaller(userId, null), session: { id, through: 'pages' } }
  }

  type Asked = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }
  async function perform(caller: Caller, operation: { id: string }, asked: Asked = {}) {
    const all = { params: {}, query: {}, body: undefined, ifMatch: '*', latest: true, ...asked }
    const request = { ...all, caller, incoming: incoming() }
    // biome-ignore lint/suspicious/noExplicitAny: what the schema has accepted, a test may look into
    return (await performAny(op, operation as AnyOperation, request)).body as any
  }

  const app = async (id: string) => {
    await apply({
      applications: [{ id, kind: 'web', name: id, redirectUris: ['https://rp.test/cb'] }],
    })
    return id
  }
  /** As it came with a refusal of the application. */
  async function bound(
    applicationId: string,
    lacks: RefusedScopeRef['lacks'],
    scope = 'vault:read',
    more: Pick<RefusedScopeRef, 'tokenGrantId'> = {},
  ) {
    const what = { scope, audience: 'https://vault.test', resourceType: null, resourceId: null }
    return accessRequestOf(op, {
      userId: await idOf('anna'),
      applicationId,
      ...what,
      lacks,
      contextDigest: '',
      policyVersion: 1,
      decisionId: op.newTokenId(),
      ...more,
    }).binding_token
  }
  const ask = async (body: object, as = 'anna') =>
    perform(await atThePages(as), createAccessRequest, { body })
  const approve = async (id: string) =>
    perform(await atThePages('ben'), approveAccessRequest, { params: { request: id }, body: {} })
  const read = async (id: string, as = 'anna') =>
    perform(await atThePages(as), getAccessRequest, { params: { request: id } })
  const takeBack = async (id: string) =>
    perform(await owner(), revokeAccessRequest, { params: { request: id }, body: {} })
  const said = async (request: string, as: string, justified: boolean) =>
    perform(await atThePages(as), reviewAccessRequest, {
      params: { request },
      body: { justified, reason: 'I looked at it' },
    })
  const removeApp = async (id: string) =>
    perform(await owner(), deleteApplication, { params: { id } })
  const grantsOf = (requestId: string) => op.db.grant.count({ where: { requestId } })

  test('Q78: what was given in an application can be taken back once it is deleted; what waits ends', async () => {
    const shop = await app('shop')
    const given = await ask({ binding: await bound(shop, ['user']) })
    await approve(given.id)
    const waits = await ask({ binding: await bound(shop, ['user'], 'vault:open') })
    await removeApp(shop)
    expect(await read(given.id)).toMatchObject({ status: 'approved', application: null })
    expect(await grantsOf(given.id)).toBe(1)
    await takeBack(given.id)
    expect(await grantsOf(given.id)).toBe(0)
    expect(await settleOverdue(op, () => true)).toBe(1)
    expect(await read(waits.id)).toMatchObject({ status: 'expired', application: null })
  })

  test('Q78: what was opened in an emergency is still reviewed, or missed', async () => {
    const till = await app('till')
    const binding = await bound(till, ['user'], 'vault:open')
    const { id } = await ask({ binding, reason: 'It does not answer', emergency: true })
    await removeApp(till)
    time += 3 * HOUR_MS
    expect(await settleMissedReviews(op, () => true)).toBe(1)
    expect(await grantsOf(id)).toBe(0)
    expect((await read(id, 'ben')).review).toMatchObject({ missedAt: op.now().toISOString() })
    await said(id, 'ben', true)
  })

  test('Q78: a review takes back what was given in an application that is gone', async () => {
    const kiosk = await app('kiosk')
    const { id } = await ask({ binding: await bound(kiosk, ['user']) })
    await approve(id)
    const [root, ben] = [await owner(), await atThePages('ben')]
    const over = { type: 'user', id: await idOf('anna') } as const
    const reviewers = [{ type: 'user' as const, id: ben.id }]
    const asked = { name: 'R', over, reviewers, fallback: [], apiPrefix: null }
    const deadline = new Date(time + 7 * 24 * HOUR_MS)
    const actor = { actorKind: 'user', actorId: root.id, ip: null } as const
    const reviewId = await startReview(op, root, { ...asked, deadline }, actor)
    const items = () => op.read((db) => listItems(db, { reviewId }, 10))
    await removeApp(kiosk)
    const call = { caller: root, incoming: incoming() } as unknown as Call
    const { review } = await requireVisible(op, call, reviewId)
    const remove = { decision: 'remove', comment: null, narrowTo: null, until: null } as const
    const said = (await items()).map((one) => ({ ...remove, item: one.id }))
    await decideItems(op, ben, review, said, actor)
    await closeNow(op, root, review)
    expect(await goOnClosing(op, reviewId, () => true)).toBe(true)
    expect(await items()).toMatchObject([{ terms: { requestId: id }, outcome: 'removed' }])
    expect(await grantsOf(id)).toBe(0)
  })

  test('what has expired is not joined, although nobody has noticed its end yet', async () => {
    const asked = { scope: 'vault:read', until: new Date(time + HOUR_MS).toISOString() }
    const old = await ask(asked, 'cleo')
    expect((await ask(asked, 'cleo')).id).toBe(old.id)
    time += HOUR_MS
    const again = await ask({ scope: 'vault:read' }, 'cleo')
    expect(again).toMatchObject({ status: 'pending' })
    expect(again.id).not.toBe(old.id)
    expect(await read(old.id, 'cleo')).toMatchObject({ status: 'expired' })
    const ended = { event: 'access_request.expired', targetId: old.id }
    expect(await op.db.auditEntry.count({ where: ended })).toBe(1)
    expect(await settleOverdue(op, () => true)).toBe(0)
    await approve(again.id)
    await takeBack(again.id)
  })

  test('Q78: a client whose document describes another kind keeps what was approved', async () => {
    const clientId = site.document('/turns')
    const come = (redirectUri: string) =>
      ensureDocumentClient(op, incoming(), { clientId, redirectUri })
    await come(`${site.origin}/cb`)
    const { id } = await ask({ binding: await bound(clientId, ['user', 'application']) })
    await approve(id)
    time += 2 * HOUR_MS
    site.document('/turns', { redirect_uris: ['http://127.0.0.1/cb'] })
    await come('http://127.0.0.1:5000/cb')
    const made = await op.db.application.findUniqueOrThrow({ where: { id: clientId } })
    expect(made).toMatchObject({ kind: 'native', createdAt: op.now() })
    expect(await read(id)).toMatchObject({ status: 'approved', application: { id: clientId } })
    expect(await grantsOf(id)).toBe(2)
    await takeBack(id)
    expect(await grantsOf(id)).toBe(0)
  })

  test('Q79: whoever only asks leaves the policy as it is', async () => {
    const version = async () => (await op.latestSnapshot()).version
    const before = await version()
    const first = await ask({ scope: 'vault:read' })
    expect((await ask({ scope: 'vault:read' })).id).toBe(first.id)
    expect(await version()).toBe(before)
    await approve(first.id)
    expect(await version()).toBeGreaterThan(before)
    await takeBack(first.id)
  })

  test('what was given to the application does not stand in the way once the user lacks it', async () => {
    const desk = await app('desk')
    const first = await ask({ binding: await bound(desk, ['application']) })
    await approve(first.id)
    const again = await bound(desk, ['application'])
    await expect(ask({ binding: again })).rejects.toMatchObject({ code: 'conflict' })
    const second = await ask({ binding: await bound(desk, ['user']) })
    expect(second).toMatchObject({ status: 'pending' })
    await approve(second.id)
    for (const { id } of [first, second]) await takeBack(id)
  })

  test('Q80: who may ask is known by the user alone', async () => {
    const stages = [{ approvers: [named(await idOf('ben')), named(await idOf('cleo'))] }]
    const rule = { api: 'vault', name: 'Team', patterns: ['vault:team'], stages }
    const saved = async (askers: string) =>
      perform(await owner(), createRequestRule, { body: { ...rule, askers } })
    for (const askers of [
      'subject.properties.team == "ledger"',
      'inNetwork(request.ip, "10.0.0.0/8")',
      'user.teams.exists(one, one == client.id)',
    ]) {
      await expect(saved(askers)).rejects.toMatchObject(wrongAt('/askers', 'askers_user'))
    }
    const { id } = await saved('request.time > timestamp("2020-01-01T00:00:00Z") && has(user.id)')
    const listed = async () => {
      const { data } = await perform(await atThePages('anna'), listRequestable)
      return data.map(({ scope }: { scope: string }) => scope).sort()
    }
    expect(await listed()).toEqual(['vault:open', 'vault:read', 'vault:team'])
    // As it could be saved before.
    const askers = 'subject.properties.team == "ledger"'
    await op.changePolicy(
      (tx) => tx.requestRule.update({ where: { id }, data: { askers } }),
      [{ kind: 'all' }],
    )
    await apply({ users: [{ username: 'anna', attributes: { team: 'ledger' } }] })
    expect(await listed()).toEqual(['vault:open', 'vault:read'])
    await expect(ask({ scope: 'vault:team' })).rejects.toMatchObject({ code: 'invalid' })
  })

  test('a reason may have several lines, and no other control characters', async () => {
    const reason = 'The month ends.\r\nNobody else is there.'
    const { id } = await ask({ scope: 'vault:read', reason: ` ${reason}\n` })
    expect((await read(id)).reason).toBe(reason)
    for (const wrong of ['a\u0000b', 'a\u001bb', ' \n'])
      await expect(ask({ scope: 'vault:read', reason: wrong })).rejects.toMatchObject(
        wrongAt('/reason'),
      )
  })

  test('Q84: an owner of the portal corrects a review that found it not justified; nobody else does', async () => {
    time += 25 * HOUR_MS
    const { id } = await ask({ scope: 'vault:open', reason: 'It does not answer', emergency: true })
    await said(id, 'ben', false)
    expect(await grantsOf(id)).toBe(0)
    expect([(await read(id, 'ben')).may.review, (await read(id)).may.review]).toEqual([
      false,
      false,
    ])
    for (const [as, justified] of [
      ['ben', true],
      ['root', false],
    ] as const)
      await expect(said(id, as, justified)).rejects.toMatchObject({ code: 'conflict' })
    await expect(said(id, 'anna', true)).rejects.toMatchObject({ code: 'forbidden' })
    const barred = { scope: 'vault:open', reason: 'Again: it is down', emergency: true }
    await expect(ask(barred)).rejects.toMatchObject({ code: 'forbidden' })
    expect((await read(id, 'root')).may.review).toBe(true)
    await said(id, 'root', true)
    expect(await read(id, 'root')).toMatchObject({
      may: { review: false },
      review: { justified: true, reviewer: { name: 'root@x.org' } },
    })
    expect(await grantsOf(id)).toBe(0)
    const again = await ask(barred)
    expect(again.status).toBe('approved')
    await takeBack(again.id)
  })

  test('Q82: what an application asks for is its own: those who decide read it, and the user is told', async () => {
    const bot = await app('bot')
    const { credentials } = await op.latestSnapshot({ clients: [bot] })
    const through = credentials.get(bot) ?? null
    const anna = { ...userCaller(await idOf('anna'), null), through }
    const body = { scope: 'vault:read', reason: 'Anna needs it' }
    const asked = await perform(anna, createAccessRequest, { body })
    expect(asked).toMatchObject({ application: null, madeBy: { id: bot, name: bot } })
    expect((await read(asked.id, 'ben')).madeBy).toEqual({ id: bot, name: bot })
    const rows = await op.db.outboxMessage.findMany({ where: { targetId: anna.id } })
    const letters = rows.map((row) => openMail(op.outboxKey, row.id, row.payloadEncrypted))
    const told = letters.flatMap((one) =>
      one.letter === 'access_request' && one.request === asked.id ? [one.news] : [],
    )
    expect(told).toEqual(['asked_for_you'])
    await removeApp(bot)
    expect((await read(asked.id)).madeBy).toEqual({ id: bot, name: bot })
    await perform(await atThePages('anna'), cancelAccessRequest, {
      params: { request: asked.id },
      body: {},
    })
  })

  test('Q83: asking is a consent that lasts no longer than the request; an earlier one stays', async () => {
    const blog = await app('blog')
    const whose = { userId: await idOf('anna'), applicationId: blog, scope: 'vault:read' }
    const consents = () => op.db.consent.findMany({ where: whose, select: { granted: true } })
    const binding = await bound(blog, ['user'], 'vault:read', { tokenGrantId: null })
    const anna = await atThePages('anna')
    const preview = await perform(anna, previewAccessRequest, { body: { binding } })
    expect(preview).toMatchObject({ consents: true, lacks: ['user'], application: { id: blog } })
    const cancelled = async () => {
      const { id } = await ask({ binding })
      time += 1_000
      expect((await ask({ binding })).id).toBe(id)
      expect(await consents()).toEqual([{ granted: true }])
      await perform(anna, cancelAccessRequest, { params: { request: id }, body: {} })
    }
    await cancelled()
    expect(await consents()).toEqual([])
    await op.db.consent.create({ data: { ...whose, granted: true, decidedAt: op.now() } })
    time += 1_000
    await cancelled()
    expect(await consents()).toEqual([{ granted: true }])
    const { id } = await ask({ scope: 'vault:read' })
    const plain = await perform(anna, previewAccessRequest, { body: { request: id } })
    expect(plain.consents).toBe(false)
    await perform(anna, cancelAccessRequest, { params: { request: id }, body: {} })
  })

  test('a binding of an application that was deleted is refused', async () => {
    const gone = await app('gone')
    const binding = await bound(gone, ['user'])
    await removeApp(gone)
    await expect(ask({ binding })).rejects.toMatchObject(wrongAt('/binding', 'binding_invalid'))
  })

  test('no task has such an ID: 404, whatever the method', async () => {
    for (const [method, path] of [
      ['GET', '/access/v1/request/x'],
      ['POST', '/access/v1/request/x/cancel'],
    ]) {
      const asked = { ...incoming(), method: method ?? '', url: path ?? '' }
      expect((await accessRequestEndpoint.any?.(op, asked))?.status).toBe(404)
    }
  })

  test('what can be asked for is searched by name, API or meaning, and the list says if it is cut', async () => {
    const keys = Array.from({ length: 205 }, (_, at) => `depot:p${String(at).padStart(3, '0')}`)
    const permissions = keys.map((key, at) => ({
      key,
      needsRole: true,
      descriptions: { en: at === 204 ? 'Lift the lid' : 'Move it' },
    }))
    const resource = { prefix: 'depot', name: 'Depot', audience: 'https://depot.test', permissions }
    await apply({
      spaces: [{ key: 'depot', name: 'Depot', resources: [resource] }],
      requestRules: [
        {
          api: 'depot',
          name: 'All',
          patterns: ['depot:*'],
          maxSeconds: 3600,
          stages: [{ approvers: [named('ben'), named('cleo')] }],
        },
      ],
    })
    const caller = await atThePages('anna')
    const listed = async (q?: string) => {
      const query: Record<string, string> = q === undefined ? {} : { q }
      const { data, complete } = await perform(caller, listRequestable, { query })
      const scopes = data.map(({ scope }: { scope: string }) => scope)
      return { scopes, count: scopes.length, complete }
    }
    expect(await listed()).toMatchObject({ count: 200, complete: false })
    expect(await listed('LIFT')).toMatchObject({ scopes: ['depot:p204'], complete: true })
    expect(await listed('p01')).toMatchObject({ count: 10, complete: true })
    expect(await listed('Depot')).toMatchObject({ count: 200, complete: false })
    expect(await listed('nothing like it')).toMatchObject({ count: 0, complete: true })
  })
})
