import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSecret } from '../../lib/crypto/secrets'
import { createOp, type OpenOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import type { Answer } from '../support/ask'
import { demoDatabase, KINDS } from '../support/databases'
import { aliceAtWeb, exchange, getCode, refresh, userinfo, webRequest } from '../support/flow'
import { type Portal, startPortal } from '../support/portal'

/** docs/attacks.md, E8, F4 and F13: what a kill -9 leaves behind, and what a restart remembers. */

const EACH = 12
/** How many codes and tokens are spent when the process is killed. */
const KILL_AFTER = [1, 6, 15]

describe.each(KINDS)('on %s', (kind) => {
  let portal: Portal
  let op: OpenOp
  let template: Awaited<ReturnType<typeof codeFromFlow>>

  beforeAll(async () => {
    const env = { DATABASE_URL: await demoDatabase[kind](), REFRESH_REPLAY_SECONDS: '60' }
    portal = await startPortal({ args: ['--demo'], env })
    op = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
    template = await codeFromFlow()
  })

  afterAll(async () => {
    await op.close()
    await portal.stop()
  })

  const json = (answer: Answer) => JSON.parse(answer.body)

  async function codeFromFlow() {
    const code = await getCode(await aliceAtWeb(portal), webRequest(portal.demo()))
    const codeHash = op.hashSecret(code)
    return op.db.authorizationCode.findUniqueOrThrow({ where: { codeHash } })
  }

  /** Copies of the one that the flow gave: only their secrets differ. */
  async function manyCodes(count: number): Promise<string[]> {
    const { scopes, resources, claims, amr, ...row } = template
    const lists = JSON.parse(JSON.stringify({ scopes, resources, claims, amr }))
    const codes = Array.from({ length: count }, () => newSecret('ghac'))
    const expiresAt = new Date(Date.now() + 600_000)
    await op.db.authorizationCode.createMany({
      data: codes.map((code) => ({
        ...row,
        ...lists,
        expiresAt,
        codeHash: op.hashSecret(code),
      })),
    })
    return codes
  }

  async function manyRefreshTokens(count: number): Promise<string[]> {
    const codes = await manyCodes(count)
    const answers = await Promise.all(codes.map((code) => exchange(portal, code)))
    return answers.map((answer) => json(answer).refresh_token)
  }

  /** Sends everything at once and kills the process amid its writes; null: no answer. */
  async function killAmid(enough: number, sends: (() => Promise<Answer>)[]) {
    const before = await spentInAll()
    const answers = Promise.all(sends.map((send) => send().catch(() => null)))
    const deadline = Date.now() + 10_000
    while (Date.now() < deadline && (await spentInAll()) < before + enough) await sleep(1)
    portal.signal('SIGKILL')
    await portal.exited
    return answers
  }

  /** Read from the database itself: answers come when everything has been written. */
  async function spentInAll(): Promise<number> {
    const spent = { where: { usedAt: { not: null } } }
    const codes = await op.db.authorizationCode.count(spent)
    return codes + (await op.db.refreshToken.count(spent))
  }

  async function isExchanged(code: string): Promise<boolean> {
    const { usedAt, tokenGrantId } = await op.db.authorizationCode.findUniqueOrThrow({
      where: { codeHash: op.hashSecret(code) },
    })
    const grant = await op.db.tokenGrant.findUnique({
      where: { id: tokenGrantId ?? '' },
      include: { families: { include: { tokens: true } } },
    })
    const found = grant?.families.map(({ tokens }) => tokens.length) ?? null
    expect([tokenGrantId !== null, found]).toEqual(usedAt === null ? [false, null] : [true, [1]])
    return usedAt !== null
  }

  /** The family is a path with one live end, never two and never none. */
  async function isRotated(old: string): Promise<boolean> {
    const tokenHash = op.hashSecret(old)
    const { familyId } = await op.db.refreshToken.findUniqueOrThrow({ where: { tokenHash } })
    const tokens = await op.db.refreshToken.findMany({
      where: { familyId },
      orderBy: { generation: 'asc' },
    })
    expect(tokens.map(({ generation }) => generation)).toEqual(tokens.map((_, index) => index + 1))
    const last = tokens.length - 1
    for (const [index, { usedAt, successorEncrypted }] of tokens.entries()) {
      const spent = index < last
      expect([usedAt !== null, successorEncrypted !== null]).toEqual([spent, spent])
    }
    return last > 0
  }

  /** What was answered still holds; what was not exchanged still can be, once. */
  async function expectCodeKept(code: string, answer: Answer | null, used: boolean) {
    if (answer !== null) {
      expect([answer.status, used]).toEqual([200, true])
      expect((await userinfo(portal.origin, json(answer).access_token)).status).toBe(200)
    }
    const again = await exchange(portal, code)
    expect([again.status, json(again).error]).toEqual(
      used ? [400, 'invalid_grant'] : [200, undefined],
    )
  }

  /** Within the window there is one successor, also where its answer was lost. */
  async function expectTokenKept(old: string, answer: Answer | null) {
    const now = await refresh(portal, old)
    expect(now.status).toBe(200)
    if (answer !== null) expect(json(now).refresh_token).toBe(json(answer).refresh_token)
    expect(json(await refresh(portal, old)).refresh_token).toBe(json(now).refresh_token)
    expect(await isRotated(old)).toBe(true)
  }

  test('E8, F13: kill -9 leaves a code unused or with one grant, and a family with one live token', async () => {
    const exchanged: boolean[] = []
    const rotated: boolean[] = []
    // Kills may all come too early or too late to show anything; then there are more of them.
    const shown = () => new Set(exchanged).size === 2 && new Set(rotated).size === 2
    const more = KILL_AFTER.flatMap((enough) => [enough, enough])
    for (const [round, enough] of [...KILL_AFTER, ...more].entries()) {
      if (round >= KILL_AFTER.length && shown()) break
      const olds = await manyRefreshTokens(EACH)
      const codes = await manyCodes(EACH)
      const grants = await op.db.tokenGrant.count()
      const answers = await killAmid(
        enough,
        codes.flatMap((code, index) => [
          () => exchange(portal, code),
          () => refresh(portal, olds[index] ?? ''),
        ]),
      )
      const used = await Promise.all(codes.map(isExchanged))
      expect(await op.db.tokenGrant.count()).toBe(grants + used.filter(Boolean).length)
      exchanged.push(...used)
      rotated.push(...(await Promise.all(olds.map(isRotated))))
      portal = await startPortal({ env: portal.env })
      await Promise.all([
        ...codes.map((code, i) => expectCodeKept(code, answers[2 * i] ?? null, used[i] ?? false)),
        ...olds.map((old, i) => expectTokenKept(old, answers[2 * i + 1] ?? null)),
      ])
    }
    expect(shown()).toBe(true)
  })

  test('F4: a spent refresh token is refused after a restart, and its family ends', async () => {
    const [old = ''] = await manyRefreshTokens(1)
    const { refresh_token: next } = json(await refresh(portal, old))
    await portal.stop()
    portal = await startPortal({ env: { ...portal.env, REFRESH_REPLAY_SECONDS: '0' } })
    for (const token of [old, next]) {
      const answer = await refresh(portal, token)
      expect([answer.status, json(answer).error]).toEqual([400, 'invalid_grant'])
    }
  })
})
