import { compileCondition } from '../../lib/access/condition'
import { type Decision, decideScopes, type Question } from '../../lib/access/decide-scopes'
import {
  type Api,
  type Assignment,
  type Grant,
  grantSet,
  type Item,
  NO_GRANTS,
  type Policy,
  type Role,
} from '../../lib/access/policy'
import { atOnce } from '../../lib/access/turns'

/** A small policy, and questions to it. */

export const NOW = new Date('2026-11-15T12:00:00Z')

export const orders: Api = {
  id: 'api_orders',
  spaceId: 'spc',
  audience: 'https://orders.test',
  subpaths: false,
  prefix: 'orders',
  enabled: true,
  tokenSeconds: 600,
  tokenAlg: null,
  tokenType: 'at+jwt' as const,
  owners: [],
  openToAppManagers: false,
  introspectors: [],
  published: null,
}
export const closed: Api = {
  ...orders,
  id: 'api_closed',
  audience: 'https://closed.test',
  enabled: false,
}

export function item(scope: string, more: Partial<Item> = {}): Item {
  return { scope, api: orders, userBound: false, needsRole: false, sensitive: false, ...more }
}

let lastId = 0
export function grant(pattern: string, more: Partial<Grant> = {}): Grant {
  lastId += 1
  const open = { effect: 'allow', condition: null, validFrom: null, validUntil: null } as const
  return { id: `grn_${lastId}`, pattern, ...open, ...more }
}

export const roles = new Map<string, Role>()
export function role(key: string, grants: Grant[], parents: Role[] = []): Role {
  const made = {
    id: `${key} ${roles.size}`,
    key,
    spaceId: 'spc',
    grants: grantSet(grants),
    parentIds: parents.map(({ id }) => id),
  }
  roles.set(made.id, made)
  return made
}

export function assigned(given: Role, more: Partial<Assignment> = {}): Assignment {
  return { ...grant('-'), roleId: given.id, instance: null, groupId: null, ...more }
}

export type World = {
  application?: Grant[]
  service?: Assignment[]
  key?: Grant[]
  user?: Assignment[]
  items?: Item[]
}

export function policy({ application = [], service = [], key, user = [], items }: World): Policy {
  const all = items ?? [
    item('orders:read'),
    item('orders:write'),
    item('orders:mine', { userBound: true }),
    item('orders:refund', { needsRole: true }),
    item('closed:read', { api: closed }),
  ]
  return {
    items: new Map(all.map((one) => [one.scope, one])),
    apisByAudience: new Map([[orders.audience, orders]]),
    roles,
    applications: new Map([['app', { grants: grantSet(application), assignments: service }]]),
    accessKeyGrants: new Map(key ? [['ak', grantSet(key)]] : []),
    users: new Map([
      ['usr', { grants: NO_GRANTS, assignments: user, enabled: true, attributes: {} }],
    ]),
  }
}

export function ask(world: World, more: Partial<Question> = {}): Decision[] {
  const decisions = decideScopes(policy(world), {
    scopes: ['orders:read'],
    applicationId: 'app',
    accessKey: null,
    mayRefresh: true,
    userId: null,
    withheld: null,
    audiences: [],
    context: {
      request: { time: NOW, ip: '10.1.2.3' },
      client: { id: 'app', application_id: 'app' },
      resource: {},
      user: {},
      auth: {},
      subject: {},
      action: {},
    },
    ...more,
  })
  return atOnce(decisions)
}

/** 'granted', or the code of the refusal. */
export function answer(world: World, more: Partial<Question> = {}): string {
  const [decision] = ask(world, more)
  return decision?.granted ? 'granted' : (decision?.code ?? 'nothing')
}

export const all = { application: [grant('orders:*'), grant('closed:*')] }
export const inOffice = compileCondition('inNetwork(request.ip, "10.0.0.0/8")')
export const elsewhere = compileCondition('inNetwork(request.ip, "192.168.0.0/16")')
export const broken = compileCondition('inNetwork(request.ip, "10.0.0.0/33")')
export const needsAgent = compileCondition('request.user_agent == "robot"')
export const withSecondFactor = compileCondition('atLeast(auth.acr, "mfa")')
export const withFactorElsewhere = compileCondition(
  'atLeast(auth.acr, "mfa") && inNetwork(request.ip, "192.168.0.0/16")',
)

export function signedInWith(acr: string): Partial<Question> {
  const context = {
    request: { time: NOW, ip: '10.1.2.3' },
    client: { id: 'app', application_id: 'app' },
    resource: {},
    user: {},
    auth: { acr, amr: [acr], age: 10 },
    subject: {},
    action: {},
  }
  return { userId: 'usr', context }
}
