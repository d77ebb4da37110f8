import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decidePermission } from './check'
import { compileCondition } from './condition'
import { type Decision, decideScopes, type Question } from './decide-scopes'
import { permissionsHeldBy } from './effective'
import { expandScopes } from './expand'
import { type Change, explainCheck, explainScope } from './explain'
import { impactOf } from './impact'
import {
  type Assignment,
  type Context,
  type Grant,
  grantSet,
  NO_GRANTS,
  type Policy,
} from './policy'
import { atOnce } from './turns'

/** What holds for every world, tried on many of them. Runs and seed: see RUNS. */

const RUNS = { numRuns: 2_000, seed: 20_261_115 }
const NOW = new Date('2026-11-15T12:00:00Z')
const ITEMS = ['a:read', 'a:write', 'a:role', 'b:read', 'b:role']
const CONDITIONS = {
  always: compileCondition('true'),
  never: compileCondition('false'),
  missing: compileCondition('user.nothing == 1'),
  factor: compileCondition('atLeast(auth.acr, "mfa")'),
}

type RoleRow = { id: string; parentIds: string[]; grants: Grant[] }
type World = {
  application: Grant[]
  service: Assignment[]
  key: Grant[]
  keyScopes: string[] | null
  roles: RoleRow[]
  user: Assignment[]
  withheld: string[]
  acr: string
}

let lastId = 0
const id = (prefix: string) => {
  lastId += 1
  return `${prefix}_${lastId}`
}

const pattern = fc.constantFrom(...ITEMS, 'a:*', 'b:*')
const allowTerms = fc.record({
  effect: fc.constant('allow' as const),
  condition: fc.constantFrom(
    null,
    null,
    CONDITIONS.always,
    CONDITIONS.never,
    CONDITIONS.missing,
    CONDITIONS.factor,
  ),
  validFrom: fc.constantFrom(null, null, NOW.getTime() + 1),
  validUntil: fc.constantFrom(null, null, NOW.getTime()),
})
const denyTerms = fc.record({
  effect: fc.constant('deny' as const),
  condition: fc.constantFrom(null, CONDITIONS.always, CONDITIONS.never),
  validFrom: fc.constant(null),
  validUntil: fc.constantFrom(null, NOW.getTime()),
})
const terms = fc.oneof({ weight: 4, arbitrary: allowTerms }, { weight: 1, arbitrary: denyTerms })
const grant = fc
  .tuple(terms, pattern)
  .map(([held, covers]): Grant => ({ ...held, id: id('grn'), pattern: covers }))
const grants = fc.array(grant, { maxLength: 4 })
const ROLE_IDS = ['r1', 'r2', 'r3', 'r4']
const roles = fc
  .tuple(...ROLE_IDS.map(() => fc.tuple(grants, fc.subarray(ROLE_IDS, { maxLength: 2 }))))
  .map((made) =>
    made.map(([held, parentIds], at) => ({ id: ROLE_IDS[at] ?? '', grants: held, parentIds })),
  )
const assignment = fc.tuple(terms, fc.constantFrom(...ROLE_IDS)).map(
  ([held, roleId]): Assignment => ({
    ...held,
    id: id('asg'),
    roleId,
    instance: null,
    groupId: null,
  }),
)
const assignments = fc.array(assignment, { maxLength: 3 })
const world: fc.Arbitrary<World> = fc.record({
  application: grants,
  service: assignments,
  key: grants,
  keyScopes: fc.option(fc.array(pattern, { maxLength: 3 }), { nil: null }),
  roles,
  user: assignments,
  withheld: fc.subarray(ITEMS, { maxLength: 1 }),
  acr: fc.constantFrom('pwd', 'mfa'),
})

function policyOf({ application, service, key, roles, user }: World): Policy {
  const api = (prefix: string) => ({
    id: prefix,
    spaceId: 'spc',
    audience: `https://${prefix}.test`,
    prefix,
    enabled: true,
    tokenSeconds: 60,
    tokenAlg: null,
    tokenType: 'at+jwt' as const,
    owners: [],
    openToAppManagers: false,
    introspectors: [],
    subpaths: false,
    published: null,
  })
  const apis = { a: api('a'), b: api('b') }
  const items = ITEMS.map((scope) => ({
    scope,
    api: scope.startsWith('a') ? apis.a : apis.b,
    userBound: false,
    needsRole: scope.endsWith(':role'),
    sensitive: false,
  }))
  return {
    items: new Map(items.map((item) => [item.scope, item])),
    apisByAudience: new Map(),
    roles: new Map(
      roles.map((row) => [
        row.id,
        { ...row, key: row.id, spaceId: 'spc', grants: grantSet(row.grants) },
      ]),
    ),
    applications: new Map([['app', { grants: grantSet(application), assignments: service }]]),
    accessKeyGrants: new Map([['ak', grantSet(key)]]),
    users: new Map([
      ['usr', { grants: NO_GRANTS, assignments: user, enabled: true, attributes: {} }],
    ]),
  }
}

function contextOf({ acr }: World): Context {
  return {
    request: { time: NOW },
    client: { id: 'app', application_id: 'app' },
    resource: {},
    user: {},
    auth: { acr, amr: [acr], age: 1 },
    subject: {},
    action: {},
  }
}

function questionOf(from: World, scopes: readonly string[] = ITEMS): Question {
  return {
    scopes,
    applicationId: 'app',
    accessKey: { id: 'ak', scopes: from.keyScopes },
    mayRefresh: true,
    userId: 'usr',
    withheld: new Set(from.withheld),
    audiences: [],
    context: contextOf(from),
  }
}

const decide = (from: World) => atOnce(decideScopes(policyOf(from), questionOf(from)))
const granted = (decisions: Decision[]) =>
  new Set(decisions.filter((decision) => decision.granted).map(({ scope }) => scope))

test('adding an allow never refuses what was granted before', () => {
  fc.assert(
    fc.property(
      world,
      fc.tuple(allowTerms, pattern),
      fc.nat(2),
      (before, [held, covers], where) => {
        const added: Grant = { ...held, id: id('grn'), pattern: covers }
        const after = structuredCloneOf(before)
        if (where === 0) after.application.push(added)
        else if (where === 1) after.key.push(added)
        else after.roles[0]?.grants.push(added)
        // To widen a role that is denied to somebody is to widen a deny.
        fc.pre(where !== 2 || ![...before.service, ...before.user].some(isDeny))
        const still = granted(decide(after))
        for (const scope of granted(decide(before))) expect(still.has(scope)).toBe(true)
      },
    ),
    RUNS,
  )
})

test('the order of grants, roles, assignments and requests never matters', () => {
  fc.assert(
    fc.property(world, (from) => {
      const turned: World = {
        ...from,
        application: from.application.toReversed(),
        service: from.service.toReversed(),
        key: from.key.toReversed(),
        user: from.user.toReversed(),
        roles: from.roles.toReversed().map((role) => ({
          ...role,
          grants: role.grants.toReversed(),
          parentIds: role.parentIds.toReversed(),
        })),
      }
      const codes = (decisions: Decision[]) =>
        new Map(decisions.map((one) => [one.scope, one.granted ? 'granted' : one.code]))
      const asked = atOnce(decideScopes(policyOf(turned), questionOf(turned, ITEMS.toReversed())))
      expect(codes(asked)).toEqual(codes(decide(from)))
    }),
    RUNS,
  )
})

test('what is granted was asked for, pattern or not', () => {
  const asked = fc.array(fc.constantFrom(...ITEMS, 'a:*', 'b:*', 'c:*', 'nope'), { maxLength: 6 })
  fc.assert(
    fc.property(world, asked, (from, wanted) => {
      const policy = policyOf(from)
      const scopes = expandScopes(policy, wanted)
      for (const scope of granted(atOnce(decideScopes(policy, questionOf(from, scopes))))) {
        const prefix = `${scope.split(':')[0]}:*`
        expect(wanted.includes(scope) || wanted.includes(prefix)).toBe(true)
      }
    }),
    RUNS,
  )
})

test('the explanation agrees: nothing to change where granted, and its remedies do grant', () => {
  fc.assert(
    fc.property(world, fc.constantFrom(...ITEMS), (from, scope) => {
      const question = questionOf(from, [scope])
      const [decision] = atOnce(decideScopes(policyOf(from), question))
      if (!decision) throw new Error('no decision')
      const { wouldChange, path } = explainScope(policyOf(from), decision, question)
      expect(wouldChange.length === 0).toBe(decision.granted)
      if (decision.granted) expect(path.length).toBeGreaterThan(0)
      if (!wouldChange.every(({ oneOf }) => oneOf.length > 0)) return // no role gives it: say so
      const changes = wouldChange.flatMap(({ oneOf }) => oneOf[0] ?? [])
      // A stronger login or more context may wake a deny that slept: then it has to be asked again.
      const mayWake = [...from.service, ...from.user].some(({ condition }) => condition !== null)
      const wakes = (change: Change) => change.do === 'step_up' || change.do === 'send_context'
      fc.pre(!mayWake || !changes.some(wakes))
      const changed = changes.reduce(apply, from)
      expect(
        granted(atOnce(decideScopes(policyOf(changed), questionOf(changed, [scope])))),
      ).toEqual(new Set([scope]))
    }),
    RUNS,
  )
})

test('a permission check, its explanation and the list of effective permissions agree', () => {
  fc.assert(
    fc.property(world, (from) => {
      const policy = policyOf(from)
      const context = contextOf(from)
      const subject = { kind: 'user', id: 'usr' } as const
      const listed = atOnce(permissionsHeldBy(policy, subject, context))
      for (const permission of ITEMS) {
        const decision = decidePermission(policy, { subject, permission, instance: null, context })
        const { wouldChange } = explainCheck(policy, permission, decision, context)
        const effective = listed.find((one) => one.permission === permission)
        expect(effective?.depends === null).toBe(decision.allowed)
        expect(wouldChange.length === 0).toBe(decision.allowed)
      }
    }),
    RUNS,
  )
})

test('an impact preview says exactly what changes', () => {
  fc.assert(
    fc.property(world, world, (before, after) => {
      const context = contextOf(before)
      const [old, next] = [policyOf(before), policyOf(after)]
      const subject = { kind: 'user', id: 'usr' } as const
      const [impact] = atOnce(impactOf(old, next, [subject], { context, instance: null }))
      const allows = (policy: Policy, permission: string) =>
        decidePermission(policy, { subject, permission, instance: null, context }).allowed
      const gains = ITEMS.filter((item) => !allows(old, item) && allows(next, item))
      const loses = ITEMS.filter((item) => allows(old, item) && !allows(next, item))
      expect(new Set(impact?.gains ?? [])).toEqual(new Set(gains))
      expect(new Set(impact?.loses ?? [])).toEqual(new Set(loses))
    }),
    RUNS,
  )
})

function isDeny({ effect }: Assignment): boolean {
  return effect === 'deny'
}

function structuredCloneOf(from: World): World {
  return {
    ...from,
    application: [...from.application],
    key: [...from.key],
    roles: from.roles.map((role) => ({ ...role, grants: [...role.grants] })),
  }
}

/** The change that an explanation names, made. */
function apply(from: World, change: Change): World {
  const plain = { effect: 'allow', condition: null, validFrom: null, validUntil: null } as const
  switch (change.do) {
    case 'grant_application':
      return {
        ...from,
        application: [...from.application, { ...plain, id: id('grn'), pattern: change.item }],
      }
    case 'widen_key':
      return { ...from, key: [...from.key, { ...plain, id: id('grn'), pattern: change.item }] }
    case 'assign_role': {
      const given = { ...plain, id: id('asg'), roleId: change.role, instance: null, groupId: null }
      return { ...from, user: [...from.user, given] }
    }
    case 'consent':
      return { ...from, withheld: from.withheld.filter((scope) => scope !== change.scope) }
    case 'step_up':
      return { ...from, acr: change.acr_values }
    case 'lift_deny':
      return eachTerms(from, (one) => (one.id === change.id ? null : one))
    case 'extend':
      return eachTerms(from, (one) =>
        one.id === change.id ? { ...one, validFrom: null, validUntil: null } : one,
      )
    case 'meet_condition':
      return eachTerms(from, (one) => (one.id === change.id ? { ...one, condition: null } : one))
    case 'send_context':
      return eachTerms(from, (one) =>
        one.condition?.source === change.condition ? { ...one, condition: null } : one,
      )
    default:
      throw new Error(`not expected here: ${change.do}`)
  }
}

function eachTerms(from: World, change: <T extends Grant | Assignment>(one: T) => T | null): World {
  const every = <T extends Grant | Assignment>(list: T[]): T[] =>
    list.flatMap((one) => change(one) ?? [])
  return {
    ...from,
    application: every(from.application),
    key: every(from.key),
    service: every(from.service),
    user: every(from.user),
    roles: from.roles.map((role) => ({ ...role, grants: every(role.grants) })),
  }
}
