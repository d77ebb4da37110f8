import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listActivity } from '../../lib/accounts/activity'
import { emptyOutbox } from '../../lib/delivery/deliver'
import type { Demo } from '../../lib/operations/demo'
import { type Call, caller, machineToken } from '../support/api'
import { type Answer, ask, askToken, basic, type Fields, FORM, machineFields } from '../support/ask'
import { KINDS } from '../support/databases'
import { aliceAtWeb, exchange, getCode, userinfo, webRequest } from '../support/flow'
import { type OpenPortal, openPortal } from '../support/in-process'
import type { OldBrowser } from '../support/old-browser'

/** A thief who rides the window in which a used refresh token still gives its successor. */

const HOME = '192.0.2.7'
const SAME_NETWORK = '192.0.2.200'
const ELSEWHERE = '198.51.100.7'
/** The default of REFRESH_REPLAY_SECONDS. */
const WINDOW_MS = 10_000

type Tokens = { access_token: string; refresh_token: string }

describe.each(KINDS)('refresh tokens that come again, on %s', (kind) => {
  let portal: OpenPortal
  let demo: Demo
  let alice: OldBrowser
  let api: Call
  let webhook: string

  beforeAll(async () => {
    portal = await openPortal({ kind, env: { TRUSTED_PROXIES: '1' } })
    demo = portal.demo()
    alice = await aliceAtWeb(portal)
    api = caller(portal, await machineToken(portal))
    const hook = { name: 'Guards', url: 'https://guards.example/hook', events: ['refresh.*'] }
    webhook = (await api('POST', '/webhooks', hook)).json.id
  })

  afterAll(() => portal.stop())

  const tokensOf = ({ status, body }: Answer): Tokens => {
    expect([status, body]).toEqual([200, expect.any(String)])
    return JSON.parse(body)
  }
  const newTokens = async () =>
    tokensOf(await exchange(portal, await getCode(alice, webRequest(demo))))

  /** From an address that the proxy in front has seen. */
  const refresh = (token: string, from = HOME): Promise<Answer> => {
    const { client_id, client_secret } = demo.web
    const fields = { grant_type: 'refresh_token', refresh_token: token, client_id, client_secret }
    return askToken(portal.origin, fields, { 'x-forwarded-for': from })
  }

  async function expectEnded({ access_token, refresh_token }: Tokens): Promise<void> {
    expectRefused(await refresh(refresh_token))
    expect((await userinfo(portal.origin, access_token)).status).toBe(401)
  }

  function expectRefused({ status, body }: Answer): void {
    expect([status, JSON.parse(body).error]).toEqual([400, 'invalid_grant'])
  }

  const grantOf = ({ access_token }: Tokens) => String(decodeJwt(access_token).grant_id)
  const jtiOf = ({ access_token }: Tokens) => String(decodeJwt(access_token).jti)

  const entries = async (query: Fields) =>
    (await api('GET', `/audit-events?${new URLSearchParams({ limit: '100', ...query })}`)).json
      .data as { event: string; result: string; targetId: string; detail: Fields }[]

  /** Why the grant was ended, as the log has it. */
  async function endingOf(tokens: Tokens) {
    const ended = await entries({ event: 'refresh.replayed' })
    return ended
      .filter(({ detail }) => detail.token_grant === grantOf(tokens))
      .map(({ result, targetId, detail: { reason } }) => ({ result, targetId, reason }))
  }

  const ALICES = { result: 'failure', targetId: 'usr_demo_alice' }

  test('Q12: two tabs that refresh together, cycle after cycle, stay signed in', async () => {
    let held = await newTokens()
    for (const _cycle of [1, 2, 3, 4, 5]) {
      const used = held.refresh_token
      held = tokensOf(await refresh(used))
      portal.moveClock(300)
      const other = tokensOf(await refresh(used, SAME_NETWORK))
      expect(other.refresh_token).toBe(held.refresh_token)
    }
    expect((await userinfo(portal.origin, held.access_token)).status).toBe(200)
  })

  test('Q12: a thief who rides along cycle after cycle is out as soon as one of the two is late', async () => {
    let held = await newTokens()
    for (const _cycle of [1, 2, 3]) {
      const used = held.refresh_token
      held = tokensOf(await refresh(used))
      tokensOf(await refresh(used))
    }
    const stolen = held.refresh_token
    held = tokensOf(await refresh(stolen))
    portal.moveClock(WINDOW_MS)
    expectRefused(await refresh(stolen))
    expect(await endingOf(held)).toEqual([{ ...ALICES, reason: 'late' }])
    await expectEnded(held)
  })

  test('Q12: every repeat is in the log, with the decision behind the token it gave', async () => {
    const { refresh_token } = await newTokens()
    const first = tokensOf(await refresh(refresh_token))
    const again = tokensOf(await refresh(refresh_token))
    expect(again.refresh_token).toBe(first.refresh_token)
    await expect
      .poll(async () => (await entries({ decisionId: jtiOf(again) })).map(({ event }) => event))
      .toEqual(expect.arrayContaining(['refresh.repeated', 'token.issued']))
    const [issued] = await entries({ decisionId: jtiOf(again), event: 'token.issued' })
    expect(issued?.detail).toMatchObject({ grant_type: 'refresh_token', repeat: true })
    const [usual] = await entries({ decisionId: jtiOf(first) })
    expect(usual?.detail).not.toHaveProperty('repeat')
    const [repeated] = await entries({ decisionId: jtiOf(again), event: 'refresh.repeated' })
    expect(repeated?.detail).toEqual({ token_grant: grantOf(first) })
  })

  test('Q12: from another network: ended at once, and its owner hears of it', async () => {
    const { refresh_token } = await newTokens()
    const held = tokensOf(await refresh(refresh_token))
    expectRefused(await refresh(refresh_token, ELSEWHERE))
    expect(await endingOf(held)).toEqual([{ ...ALICES, reason: 'another_network' }])
    await expectEnded(held)

    await emptyOutbox(portal.op, () => true)
    const [mail] = (await api('GET', '/outbox?limit=1')).json.data
    expect(mail).toMatchObject({ to: 'alice@gatehouse.example' })
    expect(mail.subject).toContain('An application was signed out')
    const headers = new Headers({ cookie: alice.cookieHeader() })
    const session = await portal.op.sessionOf({ headers })
    if (!session) throw new Error('Alice is signed in')
    const { entries: activity } = await listActivity(portal.op, session, ['refresh.replayed'], null)
    expect(activity[0]).toMatchObject({ failed: true, appName: 'Demo web app' })
    const told = (await api('GET', `/webhooks/${webhook}/deliveries`)).json.data
    expect(told.map(({ event }: { event: string }) => event)).toContain('refresh.replayed')
  })

  test('Q12: one network has many addresses, and IPv6 has its own', async () => {
    const { refresh_token } = await newTokens()
    const held = tokensOf(await refresh(refresh_token))
    expect((await refresh(refresh_token, SAME_NETWORK)).status).toBe(200)
    const next = tokensOf(await refresh(held.refresh_token, '2001:db8:1:2::3'))
    expect((await refresh(held.refresh_token, '2001:db8:1:2:ffff::4')).status).toBe(200)
    expect((await refresh(next.refresh_token)).status).toBe(200)
  })

  test.each([
    [HOME, '192.0.3.7'],
    ['2001:db8:1:2::3', '2001:db8:1:3::3'],
    ['2001:db8:1:2::3', HOME],
    [HOME, '2001:db8:1:2::3'],
  ])('Q12: %s, then %s: another network', async (first, second) => {
    const { refresh_token } = await newTokens()
    const held = tokensOf(await refresh(refresh_token, first))
    expectRefused(await refresh(refresh_token, second))
    expect(await endingOf(held)).toEqual([{ ...ALICES, reason: 'another_network' }])
  })

  test.each([5, 50])(
    'Q12: %i at the same instant from one network: one successor, and it goes on',
    async (count) => {
      const { refresh_token } = await newTokens()
      const answers = await Promise.all(Array.from({ length: count }, () => refresh(refresh_token)))
      const given = answers.map(tokensOf)
      const [successor = '', ...others] = new Set(given.map((tokens) => tokens.refresh_token))
      expect(others).toEqual([])
      for (const { access_token } of given)
        expect((await userinfo(portal.origin, access_token)).status).toBe(200)
      expect((await refresh(successor)).status).toBe(200)
    },
  )

  test('Q12: many at the same instant, and one of them from elsewhere: nothing of it lives', async () => {
    const { refresh_token } = await newTokens()
    const first = tokensOf(await refresh(refresh_token))
    const from = [HOME, HOME, HOME, ELSEWHERE, HOME, HOME]
    const answers = await Promise.all(from.map((address) => refresh(refresh_token, address)))
    expectRefused(answers[3] as Answer)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefused(answer)
    const given = answers.filter(({ status }) => status === 200).map(tokensOf)
    for (const tokens of [first, ...given]) await expectEnded(tokens)
    expect(await endingOf(first)).toEqual([{ ...ALICES, reason: 'another_network' }])
  })

  test('Q12: an answer lost now and then keeps nobody out', async () => {
    let { refresh_token } = await newTokens()
    for (const lost of [true, true, false, true, false, true, true, false]) {
      const held = tokensOf(await refresh(refresh_token))
      if (lost) expect((await refresh(refresh_token)).status).toBe(200)
      refresh_token = held.refresh_token
    }
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  describe('the jti of an access token names its decision in the audit log', () => {
    const SCOPES = 'openid offline_access orders:read orders:refund'
    const REFUSED = [{ scope: 'orders:refund', code: expect.any(String), steps: expect.any(Array) }]

    async function expectDecision(access_token: string, expected: object): Promise<void> {
      const { jti = '', client_id } = decodeJwt(access_token)
      await expect
        .poll(() => entries({ decisionId: jti }))
        .toMatchObject([{ event: 'token.issued', result: 'success', ...expected }])
      const by = client_id === demo.web.client_id ? demo.web : demo.machine
      const known = await ask(portal.origin, {
        method: 'POST',
        path: '/oidc/token/introspection',
        headers: { ...FORM, ...basic(by.client_id, by.client_secret) },
        body: `${new URLSearchParams({ token: access_token })}`,
      })
      expect(JSON.parse(known.body)).toMatchObject({ active: true, decision_id: jti })
    }

    const detailOf = (grant_type: string, refused: object[] = REFUSED) => ({
      detail: { grant_type, scope: expect.arrayContaining(['orders:read']), refused },
    })

    test('client_credentials', async () => {
      const scope = 'orders:read orders:refund'
      const answer = await askToken(portal.origin, machineFields(portal, { scope }))
      const actor = { actorKind: 'client', actorId: demo.machine.client_id }
      const { access_token } = tokensOf(answer)
      await expectDecision(access_token, { ...actor, ...detailOf('client_credentials') })
    })

    test('authorization_code and refresh_token', async () => {
      const page = await alice.open(
        `/oidc/auth?${new URLSearchParams(webRequest(demo, { scope: SCOPES }))}`,
      )
      const done = page.url.includes('/consent')
        ? await alice.submit(page, { scope: ['orders:read'] })
        : page
      const code = new URL(done.url).searchParams.get('code') ?? ''
      const first = tokensOf(await exchange(portal, code))
      const actor = { actorKind: 'user', actorId: 'usr_demo_alice' }
      const applicationId = demo.web.client_id
      await expectDecision(first.access_token, {
        ...actor,
        applicationId,
        ...detailOf('authorization_code'),
      })
      // What was not granted is not asked for again.
      const next = tokensOf(await refresh(first.refresh_token))
      await expectDecision(next.access_token, {
        ...actor,
        applicationId,
        ip: HOME,
        ...detailOf('refresh_token', []),
      })
    })
  })
})
