import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { temporaryFolder } from '../../../e2e/support/folder'
import { createOp, type OpenOp } from '../../op'
import { loadDemo } from '../../operations/demo'
import { readConfig } from '../../settings/config'
import type { Caller } from '../http/caller'
import {
  answerChange,
  changeFor,
  confirmationFor,
  digestOf,
  namesIn,
  presentPolicy,
} from './confirmation'
import { toolNamed } from './tools'

describe('S6: a confirmation is for exactly these arguments', () => {
  const digest = (given: Record<string, unknown>) => digestOf('app', { name: 'give_role' }, given)

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['an object and a list of pairs', { a: { b: 1 } }, { a: [['b', 1]] }],
    ['nothing and an empty list', { a: {} }, { a: [] }],
    ['a member that is named __proto__', JSON.parse('{"a":{"__proto__":1}}'), { a: {} }],
    ['a number and its text', { a: 1 }, { a: '1' }],
  ])('%s are two', (_what, one, other) => {
    expect(digest(one)).not.toBe(digest(other))
  })

  test('in whatever order the members come', () => {
    expect(digest({ a: { b: 1, c: [2] }, d: 3 })).toBe(digest({ d: 3, a: { c: [2], b: 1 } }))
  })
})

describe.each(KINDS)('S6: the confirmation of a change on %s', (kind) => {
  let op: OpenOp
  let caller: Caller
  const tool = toolNamed('give_role')
  const given = { user: 'usr_demo_alice', role: 'rol_demo_manager' }
  const ask = (more: object = {}) => {
    if (!tool) throw new Error('no tool')
    return confirmationFor(op, caller, tool, { ...given, ...more })
  }

  beforeAll(async () => {
    const DATABASE_URL = await freshDatabase[kind]()
    const env = { DATABASE_URL, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }
    op = await createOp(readConfig(env))
    await loadDemo(op)
    const { credentials } = await op.snapshot({ clients: ['app_demo_web'] })
    caller = {
      kind: 'user',
      id: 'usr_demo_admin',
      scopes: new Set(),
      lost: new Set(),
      adminRole: 'owner',
      ownOnly: false,
      through: credentials.get('app_demo_web') ?? null,
    }
  })

  afterAll(() => op.close())

  const idOf = (confirmation: Awaited<ReturnType<typeof ask>>) =>
    confirmation.confirmed ? '' : (confirmation.url.split('/').at(-1) ?? '')

  test('of many calls at once, one uses it', async () => {
    const id = idOf(await ask())
    const change = await changeFor(op, 'usr_demo_admin', id)
    if (!change) throw new Error('no change')
    expect(await changeFor(op, 'usr_demo_alice', id)).toBeNull()
    const names = await namesIn(op, change, 'owner')
    expect([...names.keys()].sort()).toEqual(['rol_demo_manager', 'usr_demo_alice'])
    expect(names.get('usr_demo_alice')).toMatch(/^Alice.* \(alice.*@.*\)$/)
    const nested = { ...change, arguments: { subject: { type: 'user', id: 'usr_demo_alice' } } }
    expect([...(await namesIn(op, nested, 'owner')).keys()]).toEqual(['usr_demo_alice'])
    expect([...(await namesIn(op, change, null))]).toEqual([])
    const policyVersion = await presentPolicy(op)
    const seenBefore = { confirmed: true, policyVersion: policyVersion - 1 }
    expect(await answerChange(op, change, seenBefore, null)).toBe(false)
    expect((await changeFor(op, 'usr_demo_admin', id))?.confirmed).toBeNull()
    expect(await answerChange(op, change, { confirmed: true, policyVersion }, null)).toBe(true)
    expect(await answerChange(op, change, { confirmed: false, policyVersion }, null)).toBe(false)
    const used = await Promise.all(Array.from({ length: 8 }, () => ask()))
    expect(used.filter(({ confirmed }) => confirmed)).toHaveLength(1)
  })

  test('S9: a user has at most twenty to answer', async () => {
    const asked: unknown[] = []
    for (let at = 0; at < 25; at += 1) {
      asked.push(
        await ask({ at }).then(
          () => 'asked',
          ({ code }) => code,
        ),
      )
    }
    expect(asked.filter((one) => one === 'asked').length).toBeLessThanOrEqual(20)
    expect(asked.at(-1)).toBe('slow_down')
  })

  test('S9: what is too long to read is not put to the user', async () => {
    await expect(ask({ note: 'x'.repeat(40_000) })).rejects.toMatchObject({ code: 'too_large' })
  })

  test('a caller without a user is refused', async () => {
    const { through: _none, ...rest } = caller
    const machine: Caller = { ...rest, kind: 'client', through: caller.through }
    if (!tool) throw new Error('no tool')
    await expect(confirmationFor(op, machine, tool, given)).rejects.toMatchObject({
      code: 'forbidden',
    })
  })
})
