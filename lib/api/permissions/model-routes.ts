import { z } from 'zod'
import type { Privilege } from '../../access/authority'
import type { Policy } from '../../access/policy'
import type { Op } from '../../context/op'
import { updateSpace } from '../../store/permissions/spaces'
import { authorize } from '../authority/authorize'
import { type ChangeEntry, change } from '../authority/change'
import { privilegesOfMovedRoles } from '../authority/deciders'
import { privilegesOfModel, privilegesOfOwnRole, writtenRow } from '../authority/privileges'
import { requireHierarchy } from '../authority/role-tree'
import { actorOf, wantedOf } from '../http/caller'
import { type Call, operation, tagged } from '../http/operation'
import { type FieldProblem, requireNone } from '../http/problem'
import { requireSeen, requireWritten } from '../http/version'
import { tellEndedWithApi } from '../requests/news'
import { itemsOf, knowsIn, toGrantRow, unknownItems } from './grants'
import {
  type Diff,
  diffOf,
  diffSchema,
  grantsReachedIn,
  type Model,
  modelOf,
  modelProblems,
  modelSchema,
  replaceModel,
} from './model'
import { requireUsableAudience } from './resources'
import { requireSpace } from './spaces'

export const exportModel = operation({
  id: 'exportModel',
  method: 'GET',
  path: '/spaces/{space}/model',
  summary: 'Read the permission model of a space as one document',
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
  summary: 'Replace the permission model of a space; ?dryRun=true only shows what would change',
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
  versioned: 'sometimes',
  answers: { 200: z.object({ applied: z.boolean(), diff: diffSchema }) },
  async handle(op, call) {
    const space = await requireSpace(op, call.params.space)
    const before = await modelOf(op, space.id)
    requireSound(call, space.id)
    const diff = diffOf(before, call.body)
    requireUsableAudiences(op, call.body, diff)
    const gives = await givenBy(op, call, space.id, diff)
    if (call.query.dryRun === 'true') {
      await authorize(op, call, gives)
      return { status: 200, body: { applied: false, diff }, version: space.version }
    }
    requireSeen(call.ifMatch, space, before)
    const entry: ChangeEntry = {
      event: 'model.imported',
      gives,
      kind: 'space',
      id: space.id,
      touches: [losesApi(diff) ? { kind: 'all' } : { kind: 'model' }],
      detail: { ...diff },
    }
    await change(op, call, entry, async (tx, audit) => {
      requireWritten(await updateSpace(tx, space, {}, op.now()))
      const whose = { caller: call.caller, spaceId: space.id }
      const ended = await replaceModel(op, tx, whose, call.body, diff)
      await tellEndedWithApi(op, tx, audit, ended, actorOf(call))
    })
    return { status: 200, body: { applied: true, diff }, version: space.version + 1 }
  },
})

export const modelRoutes = tagged('Spaces', [exportModel, importModel])

/** Then users and applications lose what requests gave them. */
function losesApi({ remove }: Diff): boolean {
  return remove.some((part) => part.startsWith('resource '))
}

/** What the roles will give to their holders, perhaps including the caller. */
async function givenBy(
  op: Op,
  { caller, body }: Call<unknown, unknown, Model>,
  spaceId: string,
  { change: changed, remove }: Diff,
): Promise<Privilege[]> {
  const { policy } = await op.latestSnapshot(wantedOf(caller))
  const named = new Set([...changed, ...remove])
  const roles = [...policy.roles.values()].filter(
    (role) => role.spaceId === spaceId && named.has(`role ${role.key}`),
  )
  const reached = grantsReachedIn(body)
  return [
    ...roles.flatMap(({ id }) => privilegesOfOwnRole(policy, caller, id)),
    ...(await privilegesOfModel(op, policy, roles, ({ key }) =>
      reached(key).map((grant) => writtenRow(toGrantRow.forth(grant))),
    )),
    ...(await parentsGiven(op, policy, spaceId, body)),
  ]
}

/** By key: the model may bring roles that have no ID yet. */
function parentsGiven(
  op: Op,
  policy: Policy,
  spaceId: string,
  { roles }: Model,
): Promise<Privilege[]> {
  const known = [...policy.roles.values()].filter((role) => role.spaceId === spaceId)
  const ids = new Map(known.map(({ key, id }) => [key, id]))
  const keyOf = (id: string) => policy.roles.get(id)?.key ?? id
  const before = new Map(known.map(({ key, parentIds }) => [key, parentIds.map(keyOf)]))
  const after = new Map(roles.map(({ key, parents }) => [key, parents]))
  return privilegesOfMovedRoles(op, before, after, (key) => ids.get(key))
}

function requireUsableAudiences(op: Op, { resources }: Model, { create, change }: Diff): void {
  const touched = new Set([...create, ...change])
  for (const [at, api] of resources.entries()) {
    if (!touched.has(`resource ${api.prefix}`)) continue
    requireUsableAudience(op, api, `/resources/${at}/audience`)
  }
}

function requireSound({ body, snapshot }: Call<unknown, unknown, Model>, spaceId: string): void {
  const errors = [...modelProblems(body), ...grantProblems(snapshot.policy, body, spaceId)]
  requireNone(errors)
  const parents = new Map(body.roles.map((role) => [role.key, role.parents]))
  requireHierarchy(parents, '/roles')
}

/** Roles may give permissions of the document, or of other spaces. */
function grantProblems(policy: Policy, model: Model, spaceId: string): FieldProblem[] {
  const own = model.resources.flatMap(({ permissions }) => permissions.map(({ key }) => key))
  const others = [...itemsOf(policy)].filter(
    (key) => policy.items.get(key)?.api.spaceId !== spaceId,
  )
  const knows = knowsIn(new Set([...own, ...others]))
  return model.roles.flatMap(({ permissions }, at) =>
    unknownItems(knows, permissions, (index) => `/roles/${at}/permissions/${index}/pattern`),
  )
}
