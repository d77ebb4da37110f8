import { describe, expect, test } from 'vitest'
import { orders, policy, role } from '../../e2e/support/policy'
import {
  type Candidate,
  type Decided,
  type DecisionRecords,
  decidedBy,
  decidedByAttributes,
  managerAttributes,
  movedRoles,
  namingsIn,
} from './deciders'
import type { Approver, RequestRule, RequestStage } from './policy'

/** Who decides about what: by rules, requests, emergencies and reviews, however they are named. */

const ANN: Approver = { type: 'user', id: 'usr_ann' }
const stage = (approvers: Approver[], escalateTo: Approver[] = []): RequestStage => ({
  approvers,
  needed: 1,
  deadlineSeconds: 1,
  escalateTo,
})
const OWNERS = stage([{ type: 'api_owners' }])
const opening = (people: Approver[], reviewers: Approver[]) => ({
  people,
  seconds: 1,
  reviewSeconds: 1,
  reviewers,
})

const NOTHING: DecisionRecords = {
  disabledRules: [],
  waiting: [],
  unreviewed: [],
  openReviews: [],
}
type Rule = Pick<RequestRule, 'stages' | 'emergency'>

/** Where the same rule may stand. */
const withRule = (rule: Rule): Record<string, [DecisionRecords, readonly RequestRule[]]> => {
  const patterns = ['orders:refund']
  const whole = { id: 'rqr', name: 'r', askers: null, reasonRequired: true, maxSeconds: 1 }
  const inForce = { ...whole, ...rule, patterns, autoApprove: null, autoRefuse: null }
  const asked = { apiId: orders.id, scope: 'orders:refund', terms: rule }
  return {
    'a rule': [NOTHING, [inForce]],
    'a rule that is off': [
      { ...NOTHING, disabledRules: [{ ...rule, patterns, apiId: orders.id }] },
      [],
    ],
    'a request that waits': [{ ...NOTHING, waiting: [asked] }, []],
    'an emergency that nobody reviewed': [{ ...NOTHING, unreviewed: [asked] }, []],
  }
}

function decides(
  [records, requestRules]: [DecisionRecords, readonly RequestRule[]],
  who: Candidate,
  roles = policy({}).roles,
): Decided[] {
  const apisByAudience = new Map([[orders.audience, { ...orders, requestRules }]])
  return decidedBy({ roles }, namingsIn({ apisByAudience }, records), who)
}

const ABOUT_ORDERS = [{ about: 'api', apiId: orders.id, patterns: ['orders:refund'] }]

describe('somebody decides', () => {
  const BEFORE = ['a rule', 'a rule that is off', 'a request that waits']
  const OPENING = ['a rule', 'a rule that is off']
  const REVIEWING = [...OPENING, 'an emergency that nobody reviewed']
  test.each<[string, Rule, string[]]>([
    ['an approver', { stages: [stage([ANN])], emergency: null }, BEFORE],
    ['an approver of a later step', { stages: [OWNERS, stage([ANN])], emergency: null }, BEFORE],
    ['who decides late', { stages: [stage([], [ANN])], emergency: null }, BEFORE],
    ['who may open it alone', { stages: [OWNERS], emergency: opening([ANN], []) }, OPENING],
    ['who reviews that', { stages: [OWNERS], emergency: opening([], [ANN]) }, REVIEWING],
    ['nobody', { stages: [OWNERS], emergency: null }, []],
  ])('as %s', (_who, rule, where) => {
    const found = Object.entries(withRule(rule))
      .filter(([, records]) => decides(records, { users: ['usr_ann'] }).length > 0)
      .map(([name]) => name)
    expect(found).toEqual(where)
    for (const records of Object.values(withRule(rule)))
      expect(decides(records, { users: ['usr_ben'] })).toEqual([])
  })

  test('by a group, and by a role or one below it, with the permissions that it is about', () => {
    const chief = role('deciding-chief', [])
    const below = role('deciding-below', [], [role('deciding-between', [], [chief])])
    const approvers: Approver[] = [
      { type: 'group', id: 'grp' },
      { type: 'role', id: chief.id },
    ]
    const [records] = Object.values(withRule({ stages: [stage(approvers)], emergency: null }))
    if (!records) throw new Error('no rule')
    const { roles } = policy({})
    expect(decides(records, { groups: ['grp'] }, roles)).toMatchObject(ABOUT_ORDERS)
    expect(decides(records, { roles: [below.id] }, roles)).toMatchObject(ABOUT_ORDERS)
    expect(decides(records, { roles: ['rol_other'], groups: [chief.id] }, roles)).toEqual([])
    // An ID that is the same by chance names nobody else.
    expect(decides(records, { users: ['grp', chief.id] }, roles)).toEqual([])
  })

  test('as a manager, where an attribute of somebody concerned names them', () => {
    const boss: Approver = { type: 'manager', attribute: 'boss' }
    const openReviews = [{ id: 'rev', reviewers: [boss], fallback: [ANN] }]
    const records: [DecisionRecords, []] = [{ ...NOTHING, openReviews }, []]
    const isManagerBy = (attribute: string, of: Decided) =>
      attribute === 'boss' && of.about === 'review'
    expect(decides(records, { isManagerBy })).toMatchObject([{ about: 'review', reviewId: 'rev' }])
    expect(decides(records, { users: ['usr_ann'] })).toHaveLength(1)
    expect(decides(records, { users: ['usr_ben'] })).toEqual([])
    const namings = namingsIn({ apisByAudience: new Map() }, records[0])
    expect([...managerAttributes(namings).keys()]).toEqual(['boss'])
  })
})

describe('an attribute decides', () => {
  const rule = (more: object) => ({
    apiId: orders.id,
    patterns: ['orders:refund'],
    autoApprove: null,
    autoRefuse: null,
    emergency: null,
    ...more,
  })
  const read = (more: object, ...keys: string[]) =>
    decidedByAttributes([rule(more)], new Set(keys)).length > 0

  test('where a rule approves at once by it, and where nobody else would be asked', () => {
    const autoApprove = 'user.team == "books" && user["level"] > 2'
    const autoRefuse = 'user.suspended == true'
    expect(read({ autoApprove }, 'team')).toBe(true)
    expect(read({ autoApprove }, 'level')).toBe(true)
    expect(read({ autoApprove }, 'branch')).toBe(false)
    expect(read({ autoRefuse }, 'suspended')).toBe(false)
    expect(read({ autoApprove, autoRefuse }, 'suspended')).toBe(true)
    expect(read({ autoRefuse, emergency: opening([ANN], []) }, 'suspended')).toBe(true)
  })

  test('wherever a rule reads all attributes together', () => {
    expect(read({ autoApprove: 'size(user) > 3' }, 'branch')).toBe(true)
    expect(read({ autoApprove: '"branch" in user' }, 'branch')).toBe(true)
  })
})

describe('other parents of roles', () => {
  const tree = (parents: Record<string, string[]>) => new Map(Object.entries(parents))
  const moved = (before: Record<string, string[]>, after: Record<string, string[]>) =>
    movedRoles(tree(before), tree(after)).map(({ family, gained, lost }) => ({
      family: [...family].sort(),
      gained: [...gained].sort(),
      lost: [...lost].sort(),
    }))

  test('give those below all that is above, also through roles that are new', () => {
    const before = { top: [], mid: ['top'], low: [], lowest: ['low'] }
    expect(moved(before, { ...before, low: ['mid'] })).toEqual([
      { family: ['low', 'lowest'], gained: ['mid', 'top'], lost: [] },
    ])
    expect(moved(before, { ...before, low: ['new'], new: ['top'] })).toEqual([
      { family: ['low', 'lowest'], gained: ['new', 'top'], lost: [] },
      { family: ['low', 'lowest', 'new'], gained: ['top'], lost: [] },
    ])
  })

  test('that go, or a role that is deleted, take what was above', () => {
    const before = { top: [], mid: ['top'], low: ['mid'] }
    expect(moved(before, { ...before, low: [] })).toEqual([
      { family: ['low'], gained: [], lost: ['mid', 'top'] },
    ])
    expect(moved(before, { top: [], low: [] }).map(({ lost }) => lost)).toEqual([
      ['top'],
      ['mid', 'top'],
    ])
    expect(moved(before, { ...before })).toEqual([])
  })
})
