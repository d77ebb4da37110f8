import { z } from 'zod'
import type { Policy } from '../../access/policy'
import { isPortalScope } from '../../portal-api'
import { change } from '../change'
import {
  type Diff,
  diffOf,
  diffSchema,
  exportModel,
  importModel,
  type Model,
  modelProblems,
  modelSchema,
  requireNoCycles,
} from '../model'
import { requireNotOwnRole } from '../own-role'
import { type FieldProblem, Problem } from '../problem'
import { type Call, route } from '../route'
import { requireSeen, requireWritten } from '../version'
import { requireSpace } from './spaces'

const TAG = 'Spaces'

export const modelRoutes = [
  route({
    id: 'exportModel',
    method: 'GET',
    path: '/spaces/{space}/model',
    tag: TAG,
    summary: 'The whole model of a space as one document',
    scope: 'spaces:read',
    answers: { 200: modelSchema },
    async handle(op, { params }) {
      const space = await requireSpace(op, params.space)
      return { status: 200, body: await exportModel(op, space.id), version: space.version }
    },
  }),
  route({
    id: 'importModel',
    method: 'PUT',
    path: '/spaces/{space}/model',
    tag: TAG,
    summary: 'Make a space’s model be this document; ?dryRun=true shows what would change',
    scope: 'spaces:write',
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
      const before = await exportModel(op, space.id)
      requireSound(call, space.id)
      const diff = diffOf(before, call.body)
      if (call.query.dryRun === 'true') {
        return { status: 200, body: { applied: false, diff }, version: space.version }
      }
      requireSeen(call.ifMatch, space, before)
      requireNotOwnRoles(call, space.id, diff)
      const happened = {
        event: 'model.imported',
        kind: 'space',
        id: space.id,
        touches: [{ kind: 'model' } as const],
        detail: { ...diff },
      }
      await change(op, call, happened, async (tx) => {
        const data = { version: space.version + 1, updatedAt: op.now() }
        const where = { id: space.id, version: space.version }
        requireWritten((await tx.space.updateMany({ where, data })).count)
        await importModel(op, tx, space.id, call.body, diff)
      })
      return { status: 200, body: { applied: true, diff }, version: space.version + 1 }
    },
  }),
]

function requireNotOwnRoles(
  call: Call<unknown, unknown, unknown>,
  spaceId: string,
  { change: changed, remove }: Diff,
): void {
  const named = new Set([...changed, ...remove])
  for (const { id, key, spaceId: home } of call.snapshot.policy.roles.values()) {
    if (home === spaceId && named.has(`role ${key}`)) requireNotOwnRole(call, id)
  }
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
