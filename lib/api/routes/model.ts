import { z } from 'zod'
import type { Gift } from '../../access/authority'
import type { Policy } from '../../access/policy'
import { isPortalScope } from '../../access/portal-api'
import { authorize } from '../authorize'
import { change } from '../change'
import { ownRoleGift } from '../gifts'
import {
  type Diff,
  diffOf,
  diffSchema,
  type Model,
  modelOf,
  modelProblems,
  modelSchema,
  replaceModel,
  requireNoCycles,
} from '../model'
import { type Call, operation } from '../operation'
import { type FieldProblem, Problem } from '../problem'
import { requireSeen, requireWritten } from '../version'
import { requireSpace } from './spaces'

const TAG = 'Spaces'

export const exportModel = operation({
  id: 'exportModel',
  method: 'GET',
  path: '/spaces/{space}/model',
  tag: TAG,
  summary: 'The whole model of a space as one document',
  scope: 'spaces:read',
  also: ['resources:read', 'permissions:read', 'roles:read'],
  answers: { 200: modelSchema },
  async handle(op, { params }) {
    const space = await requireSpace(op, params.space)
    return { status: 200, body: await modelOf(op, space.id), version: space.version }
  },
})

export const importModel = operation({
  id: 'importModel',
  method: 'PUT',
  path: '/spaces/{space}/model',
  tag: TAG,
  summary: 'Make a space’s model be this document; ?dryRun=true shows what would change',
  scope: 'spaces:write',
  also: ['resources:write', 'permissions:write', 'roles:write'],
  query: z.strictObject({ dryRun: z.enum(['true', 'false']).default('false') }),
  body: modelSchema,
  example: {
    resources: [
      {
        prefix: 'orders',
        audience: 'https://orders.example.com',
        name: 'Orders',
        permissions: [{ key: 'orders:read' }],
      },
    ],
    roles: [{ key: 'clerk', name: 'Clerk', permissions: [{ pattern: 'orders:read' }] }],
  },
  answers: { 200: z.object({ applied: z.boolean(), diff: diffSchema }) },
  async handle(op, call) {
    const space = await requireSpace(op, call.params.space)
    const before = await modelOf(op, space.id)
    requireSound(call, space.id)
    const diff = diffOf(before, call.body)
    const gives = ownRoles(call, space.id, diff)
    if (call.query.dryRun === 'true') {
      await authorize(op, call, gives)
      return { status: 200, body: { applied: false, diff }, version: space.version }
    }
    requireSeen(call.ifMatch, space, before)
    const happened = {
      event: 'model.imported',
      gives,
      kind: 'space',
      id: space.id,
      touches: [{ kind: 'model' } as const],
      detail: { ...diff },
    }
    await change(op, call, happened, async (tx) => {
      const data = { version: space.version + 1, updatedAt: op.now() }
      const where = { id: space.id, version: space.version }
      requireWritten((await tx.space.updateMany({ where, data })).count)
      await replaceModel(op, tx, space.id, call.body, diff)
    })
    return { status: 200, body: { applied: true, diff }, version: space.version + 1 }
  },
})

export const modelRoutes = [exportModel, importModel]

function ownRoles(
  { caller, snapshot: { policy } }: Call<unknown, unknown, unknown>,
  spaceId: string,
  { change: changed, remove }: Diff,
): Gift[] {
  const named = new Set([...changed, ...remove])
  const roles = [...policy.roles.values()].filter(
    (role) => role.spaceId === spaceId && named.has(`role ${role.key}`),
  )
  return roles.flatMap(({ id }) => ownRoleGift(policy, caller, id))
}

function requireSound({ body, snapshot }: Call<unknown, unknown, Model>, spaceId: string): void {
  const errors = [...modelProblems(body), ...grantProblems(snapshot.policy, body, spaceId)]
  if (errors[0]) throw new Problem('invalid', errors[0].detail, { errors })
  requireNoCycles(body)
}

/** Roles may give items of the document itself, or of other spaces. */
function grantProblems(policy: Policy, model: Model, spaceId: string): FieldProblem[] {
  const own = model.resources.flatMap(({ permissions }) => permissions.map(({ key }) => key))
  const others = [...policy.items.values()].filter(
    ({ api, scope }) => api.spaceId !== spaceId && !isPortalScope(scope),
  )
  const known = new Set([...own, ...others.map(({ scope }) => scope)])
  const prefixes = new Set([...known].map((key) => key.split(':')[0] ?? ''))
  return model.roles.flatMap(({ permissions }, at) =>
    permissions.flatMap(({ pattern }, index) => {
      const fine = pattern.endsWith(':*') ? prefixes.has(pattern.slice(0, -2)) : known.has(pattern)
      const pointer = `/roles/${at}/permissions/${index}/pattern`
      return fine ? [] : [{ pointer, code: 'unknown', detail: 'no such permission item' }]
    }),
  )
}
