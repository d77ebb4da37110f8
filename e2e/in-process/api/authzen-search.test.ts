import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, caller, machineToken } from '../../support/api'
import { ask } from '../../support/ask'
import { usually } from '../../support/databases'
import { type OpenPortal, openPortal } from '../../support/in-process'
import { type Random, randomFrom } from '../../torture/random'

/**
 * The three searches of AuthZEN find exactly what evaluations allow: over models that chance makes,
 * with patterns, parent roles, groups, instances, denies, conditions and grants of applications.
 */

const ACTIONS = ['read', 'write', 'delete', 'items:read', 'items:write']
const INSTANCES = ['doc-1', 'doc-2', 'doc-3']
const ROLES = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5']
const CONDITIONS = [
  'resource.properties.status != "archived"',
  'action.name != "delete"',
  'resource.id != "doc-3"',
  'subject.type == "client" || user.level == "high"',
  'request.context.branch == "Bern"',
  'subject.properties.level == "high"',
]
/** What every question of a round says about its circumstances. */
const GIVEN = {
  properties: { status: 'open' },
  context: { branch: 'Bern' },
}

type Subject = { type: 'user' | 'client'; id: string }
type Fixture = { type: string; actions: readonly string[]; subjects: Subject[] }

/** Each takes thousands of questions; `npm test -- --all` asks of more. */
const MODELS = process.env.THOROUGH === '1' ? [1, 2, 3] : [1]

describe.each(usually('sqlite'))('searches and evaluations on %s', (kind) => {
  let portal: OpenPortal
  let api: Call
  let token: string

  beforeAll(async () => {
    portal = await openPortal({ kind })
    api = caller(portal, await machineToken(portal))
    token = await machineToken(portal, 'permissions:check')
  })
  afterAll(() => portal.stop())

  async function post(path: string, body: object) {
    const answer = await ask(portal.origin, {
      method: 'POST',
      path: `/access/v1/${path}`,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        consistency: 'higher',
      },
      body: JSON.stringify(body),
    })
    expect(answer.status, answer.body).toBe(200)
    return JSON.parse(answer.body)
  }

  /** All pages of a search. */
  async function search(path: string, body: object): Promise<{ id?: string; name?: string }[]> {
    const results = []
    let next = ''
    do {
      const page = { limit: 2, ...(next && { token: next }) }
      const answer = await post(`search/${path}`, { ...body, context: GIVEN.context, page })
      results.push(...answer.results)
      next = answer.page?.next_token ?? ''
    } while (next !== '')
    return results
  }

  async function created(path: string, body: object) {
    const { status, json, raw } = await api('POST', path, body)
    expect(status, raw).toBe(201)
    return json
  }

  async function changed(path: string, body: object) {
    const { status, raw } = await api('PUT', path, body, { 'if-match': '*' })
    expect(status, raw).toBe(200)
  }

  /** A model, and everybody who may hold something of it. */
  async function fixture(random: Random, name: string): Promise<Fixture> {
    await created('/spaces', { key: name, name })
    const permissions = ACTIONS.map((action) => ({ key: `${name}:${action}` }))
    const resource = { prefix: name, audience: `https://${name}.example`, name, permissions }
    const roles = ROLES.map((key, at) => ({
      key,
      name: key,
      parents: ROLES.slice(0, at).filter(() => random.chance(0.25)),
      permissions: grantsBy(random, name),
    }))
    // So that every instance is one that the portal knows to be of this API.
    const anchor = {
      key: 'anchor',
      name: 'Anchor',
      permissions: [{ pattern: `${name}:items:read` }],
    }
    await changed(`/spaces/${name}/model`, { resources: [resource], roles: [...roles, anchor] })
    const users = await Promise.all([0, 1, 2, 3].map((at) => userOf(random, `${name}-u${at}`)))
    const groups = await Promise.all(
      [0, 1].map(async (at) => {
        const group = await created('/groups', { key: `${name}-g${at}`, name: 'Group' })
        for (const { id } of users.filter(() => random.chance(0.5)))
          expect((await api('PUT', `/groups/${group.id}/members/${id}`)).status).toBe(204)
        return { type: 'group', id: group.id }
      }),
    )
    const clients = await Promise.all([0, 1, 2].map(() => clientOf(random, name)))
    const holders = [...users, ...groups, ...clients]
    const anchored = INSTANCES.map((instance) => ({ role: 'anchor', subject: users[0], instance }))
    const assignments = [...anchored, ...holders.flatMap((one) => assignmentsOf(random, one))]
    await created(`/spaces/${name}/assignments:batch`, { assignments })
    const known = users.map((_user, at): Subject => ({ type: 'user', id: `${name}-u${at}` }))
    return { type: name, actions: ACTIONS, subjects: [...known, ...clients] }
  }

  async function userOf(random: Random, username: string) {
    const attributes = { level: random.chance(0.5) ? 'high' : 'low' }
    const enabled = random.chance(0.9)
    return { type: 'user', id: (await created('/users', { username, attributes, enabled })).id }
  }

  async function clientOf(random: Random, name: string): Promise<Subject> {
    const { id } = await created('/applications', { kind: 'machine', name: `${name} machine` })
    if (random.chance(0.7)) {
      await changed(`/applications/${id}/grants`, { grants: grantsBy(random, name) })
    }
    return { type: 'client', id }
  }

  /** What evaluations say of every combination. */
  async function allowed({ type, actions, subjects }: Fixture): Promise<Set<string>> {
    const all = subjects.flatMap((subject) =>
      actions.flatMap((name) => INSTANCES.map((id) => ({ subject, name, id }))),
    )
    const yes = new Set<string>()
    for (let at = 0; at < all.length; at += 50) {
      const some = all.slice(at, at + 50)
      const { evaluations } = await post('evaluations', {
        context: GIVEN.context,
        evaluations: some.map(({ subject, name, id }) => ({
          subject,
          action: { name },
          resource: { type, id, properties: GIVEN.properties },
        })),
      })
      for (const [i, { decision }] of evaluations.entries()) {
        const one = some[i]
        if (decision && one) yes.add(`${one.subject.id} ${one.name} ${one.id}`)
      }
    }
    return yes
  }

  /** What each search finds, as if it had been evaluated. */
  async function searched({ type, actions, subjects }: Fixture) {
    const { properties } = GIVEN
    const [bySubject, byResource, byAction] = [
      new Set<string>(),
      new Set<string>(),
      new Set<string>(),
    ]
    for (const name of actions) {
      for (const id of INSTANCES) {
        for (const kind of ['user', 'client']) {
          const resource = { type, id, properties }
          const body = { subject: { type: kind }, action: { name }, resource }
          for (const found of await search('subject', body))
            bySubject.add(`${found.id} ${name} ${id}`)
        }
      }
      for (const subject of subjects) {
        const body = { subject, action: { name }, resource: { type, properties } }
        for (const { id } of await search('resource', body))
          byResource.add(`${subject.id} ${name} ${id}`)
      }
    }
    for (const subject of subjects) {
      for (const id of INSTANCES) {
        const body = { subject, resource: { type, id, properties } }
        for (const { name } of await search('action', body))
          byAction.add(`${subject.id} ${name} ${id}`)
      }
    }
    return { bySubject, byResource, byAction }
  }

  test.each(MODELS)('find exactly what is allowed (model %i)', async (round) => {
    const seed = round * 7919
    const made = await fixture(randomFrom(seed), `search${round}`)
    // The same permissions, asked for in two ways: `x:items:read` is `items:read` of `x`, and `read`
    // of `x:items`.
    const parts = { type: `${made.type}:items`, actions: ['read', 'write'] }
    for (const asked of [made, { ...made, ...parts }]) {
      const yes = [...(await allowed(asked))].sort()
      expect(yes.length).toBeGreaterThan(5)
      expect(yes.length).toBeLessThan(
        asked.subjects.length * asked.actions.length * INSTANCES.length,
      )
      const { bySubject, byResource, byAction } = await searched(asked)
      expect([...byAction].sort()).toEqual(yes)
      expect([...byResource].sort()).toEqual(yes)
      expect([...bySubject].sort()).toEqual(yes)
    }
  })
})

function termsBy(random: Random) {
  const condition = random.chance(0.4) ? { condition: random.pick(CONDITIONS) } : {}
  return { ...condition, effect: random.chance(0.12) ? 'deny' : 'allow' }
}

function grantsBy(random: Random, name: string) {
  const patterns = [`${name}:*`, ...ACTIONS.map((action) => `${name}:${action}`)]
  const chosen = patterns.filter(() => random.chance(0.2))
  return chosen.map((pattern) => ({ pattern, ...termsBy(random) }))
}

function assignmentsOf(random: Random, subject: { type: string; id: string }) {
  const roles = ROLES.filter(() => random.chance(0.3))
  return roles.map((role) => ({
    role,
    subject,
    instance: random.chance(0.5) ? random.pick(INSTANCES) : null,
    ...termsBy(random),
  }))
}
