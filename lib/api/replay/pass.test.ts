import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import { NOW, policy } from '../../../e2e/support/policy'
import { problemIn } from '../../../e2e/support/problem-in'
import { accessKey, credential } from '../../../e2e/support/protocol'
import { shop } from '../../../e2e/support/shop'
import type { DecisionToReplay } from '../../access/replay'
import type { Credential } from '../../oidc/client'
import { previewImpact } from '../impact/routes'
import { lookAt, oneOfFew, worldOf } from './pass'
import { replayDecisions } from './routes'

/** A pass over past decisions: who asked then, how much runs at once, and where a part begins. */

describe('U4: replays at once', () => {
  function waiting() {
    let end = () => {}
    const work = () =>
      new Promise<string>((resolve) => {
        end = () => resolve('done')
      })
    const answer = oneOfFew(work)
    return { answer, end: () => end() }
  }

  test('are two; a third is told when to try again, and has a place once one has ended', async () => {
    const [first, second] = [waiting(), waiting()]
    const third = () => oneOfFew(async () => 'third')
    expect(await problemIn(third)).toMatch(/^slow_down /)
    await expect(third()).rejects.toMatchObject({ options: { headers: { 'Retry-After': '3' } } })
    first.end()
    expect([await first.answer, await third()]).toEqual(['done', 'third'])
    second.end()
    await second.answer
  })

  test('give their place back if they fail', async () => {
    const failing = () =>
      oneOfFew(async () => {
        throw new Error('broken')
      })
    for (let at = 0; at < 5; at += 1) await expect(failing()).rejects.toThrow('broken')
  })
})

describe('a decision of few scopes is looked at at once, one of many takes turns', () => {
  function* work() {
    yield
    return 'looked'
  }
  const decision = (scopes: number) =>
    ({ scopes: Array.from({ length: scopes }, () => 'a:b') }) as unknown as DecisionToReplay

  test.each([
    [100, false],
    [101, true],
  ])('%i scopes', async (scopes, waits) => {
    const seen: string[] = []
    const pause = lookAt(decision(scopes), work(), (result) => void seen.push(result))
    expect([pause instanceof Promise, seen.length]).toEqual([waits, waits ? 0 : 1])
    await pause
    expect(seen).toEqual(['looked'])
  })
})

describe('who asked then', () => {
  const AT = NOW.getTime()
  const asker = (one: Credential | undefined, at = AT) =>
    worldOf({ policy: policy({}), credentials: { get: () => one } }, 'ak_test', at).asker

  test('is nobody if the client is gone', () => {
    expect(asker(undefined)).toBeNull()
  })

  test('could ask with a key that has expired since, and not with one that had', () => {
    const key = credential({}, accessKey({ expiresAt: AT }))
    expect(asker(key, AT - 1)?.usable).toBe(true)
    expect(asker(key, AT)?.usable).toBe(false)
  })

  test('cannot ask with what is disabled now, whenever it was asked', () => {
    expect(asker(credential({ enabled: false }), AT - 1)?.usable).toBe(false)
    expect(asker(credential({}, accessKey({ enabled: false })), AT - 1)?.usable).toBe(false)
  })
})

describe.each(usually('sqlite'))('U1: a draft, on %s', (kind) => {
  let portal: Operations

  beforeAll(async () => {
    portal = await openOperations(kind, {
      spaces: [shop([{ key: 'orders:read' }], [{ key: 'clerk', name: 'Clerk' }])],
    })
  })
  afterAll(() => portal.close())

  const ADD = { kind: 'adjust_role', role: 'clerk', add: [{ pattern: 'orders:read' }] }
  const refused = (body: object, caller = portal.owner) =>
    portal.refused(caller, replayDecisions, { body })

  test.each<[string, object, string]>([
    ['without a change', {}, 'invalid /changes replay_draft_empty'],
    ['for no day', { changes: [ADD], days: 0 }, 'invalid /days too_small'],
    ['for more than a year', { changes: [ADD], days: 366 }, 'invalid /days too_big'],
    ['with a role by its key, without its space', { changes: [ADD] }, 'invalid /space required'],
    ['with a space that is not there', { space: 'nothing', changes: [ADD] }, 'not_found no_space'],
    [
      'with a permission that is not there',
      { space: 'shop', changes: [{ ...ADD, add: [{ pattern: 'orders:none' }] }] },
      'invalid /change/add/0 unknown_permission',
    ],
    [
      'that starts where another replay ended',
      { space: 'shop', changes: [ADD], after: 'e30.AAAA' },
      'invalid /after cursor_foreign',
    ],
    [
      'that makes a circle',
      { space: 'shop', changes: [{ kind: 'role_parents', role: 'clerk', parents: ['clerk'] }] },
      'conflict /parents cycle',
    ],
  ])('%s is refused', async (_what, body, told) => {
    expect(await refused(body)).toBe(told)
  })

  test('with a condition of one’s own needs the right to read users', async () => {
    const add = [{ pattern: 'orders:read', condition: 'user.salary > 1' }]
    const scopes = new Set(portal.owner.scopes)
    scopes.delete('users:read')
    const few = { ...portal.owner, scopes }
    const body = { space: 'shop', changes: [{ ...ADD, add }] }
    expect(await refused(body, few)).toBe('forbidden scope_needed')
    expect(await refused({ ...body, changes: [ADD] }, few)).toBe('not refused')
  })

  test('changes nothing: the next preview sees the role as it was', async () => {
    const before = (await portal.op.latestSnapshot()).version
    await portal.ask(portal.owner, replayDecisions, { body: { space: 'shop', changes: [ADD] } })
    await portal.ask(portal.owner, previewImpact, {
      params: { space: 'shop' },
      body: { change: { kind: 'delete_role', role: 'clerk' } },
    })
    const { version, policy: after } = await portal.op.latestSnapshot()
    expect([version, [...after.roles.values()].map(({ key }) => key)]).toEqual([before, ['clerk']])
  })
})
