import { describe, expect, test } from 'vitest'
import type { Decision, Facts, Principal, Role } from './model-facts'
import { found, machine, type Now, person, WORLD } from './model-world'

/** The model says what is beyond the rule, and lets those through who hold the power. */

const rule: Decision = {
  name: 'the rule',
  api: 'vault',
  takes: [],
  people: ['named', 'closed'],
  groups: ['friends'],
  roles: ['chief'],
  attributes: ['boss'],
}
const review: Decision = {
  ...rule,
  ...{ name: 'the review', api: null, takes: ['assignments:write'] },
  ...{ people: ['reviewer'], groups: [], roles: [], attributes: [] },
}
const held = (id: string, decides = true) => ({ id, decides })
const ROLES: Role[] = [
  { id: 'chief', parents: [], holders: [held('chief'), held('narrow', false)] },
  { id: 'below', parents: ['chief'], holders: [held('clerks')] },
  { id: 'common', parents: [], holders: [held('plain')] },
]
const PEOPLE = [
  ...WORLD.people,
  ...['named', 'reviewer', 'chief', 'narrow', 'called'].map((id) => person(id)),
  person('closed', { enabled: false }),
  person('asker', { attributes: '{"boss":"CALLED@x.example"}' }),
]
const START: Partial<Facts> = { people: PEOPLE, roles: ROLES, decisions: [rule, review] }

const HR = machine('hr', 'users:write')
const GIVER = machine('giver', 'assignments:write')
const MODELLER = machine('modeller', 'roles:write')

const changed = (id: string, more: Parameters<typeof person>[1]): Now => ({
  facts: { people: PEOPLE.map((one) => (one.id === id ? { ...one, ...more } : one)) },
})
const roles = (id: string, more: Partial<Role>): Now => ({
  facts: { roles: ROLES.map((one) => (one.id === id ? { ...one, ...more } : one)) },
})
const joined = (group: string): Now => ({
  facts: {
    groups: WORLD.groups.map((one) => (one.id === group ? { ...one, members: ['plain'] } : one)),
  },
})
const email = 'e@x'
const clauses = (who: Principal, now: Now) => found(who, now, START)

describe('beyond the rule', () => {
  test.each<[string, Principal, Now, string]>([
    ['the address of an approver', HR, changed('named', { email }), '2 account'],
    ['of a reviewer', HR, changed('reviewer', { email }), '2 account'],
    ['of a manager', HR, changed('called', { verified: false }), '2 account'],
    ['of somebody with a role', HR, changed('narrow', { email }), '2 account'],
    ['the account of an approver', HR, { reach: { accounts: ['chief'] } }, '2 account'],
    ['an approver who comes back', HR, changed('closed', { enabled: true }), '16 deciders'],
    ['the group of a rule', HR, joined('friends'), '16 deciders'],
    ['a group with a role below', HR, joined('clerks'), '16 deciders'],
    [
      'the attribute of somebody',
      HR,
      changed('asker', { attributes: '{"boss":"plain"}' }),
      '16 deciders',
    ],
    [
      'the name that it says',
      HR,
      changed('plain', { username: 'called@x.example' }),
      '16 deciders',
    ],
    ['a role that approves', GIVER, roles('chief', { holders: [held('plain')] }), '16 deciders'],
    ['its parent', MODELLER, roles('common', { parents: ['below'] }), '16 deciders'],
  ])('%s', (_what, who, now, clause) => {
    expect(clauses(who, now)).toContain(clause)
  })
})

describe('within it', () => {
  const hold = ({ application, holds }: Principal, ...more: string[]) =>
    machine(application ?? '', ...holds, ...more)
  test.each<[string, Principal, Now]>([
    ['an approver is closed', HR, changed('named', { enabled: false })],
    ['an approver is gone', HR, { facts: { people: PEOPLE.filter(({ id }) => id !== 'named') } }],
    ['other people are changed', HR, changed('asker', { email, attributes: '{}' })],
    ['who governs the API', hold(HR, 'resources:write'), changed('named', { email })],
    ['who takes it away', hold(HR, 'assignments:write'), changed('reviewer', { email })],
    ['a role of others', GIVER, roles('common', { holders: [held('asker')] })],
    ['on terms', GIVER, roles('chief', { holders: [...[held('chief'), held('asker', false)]] })],
    ['a parent of nobody', MODELLER, roles('below', { parents: [], holders: [] })],
  ])('%s', (_what, who, now) => {
    expect(clauses(who, now)).toEqual([])
  })
})
