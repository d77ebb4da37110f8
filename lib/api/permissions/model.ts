import { z } from 'zod'
import type { Op, Transaction } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import {
  type ApiRow,
  findApi,
  findItem,
  insertApi,
  removeApisNamed,
  removeItemsNamed,
  updateApi,
} from '../../store/permissions/apis'
import { readModel } from '../../store/permissions/model'
import {
  findRole,
  grantsOfRole,
  insertRole,
  removeRolesNamed,
  replaceRoleGrants,
  roleIdsIn,
  updateRole,
} from '../../store/permissions/roles'
import type { EndedAlone } from '../../store/requests/ends'
import { withGrantors } from '../authority/grantor'
import { periodProblems } from '../authority/past-ends'
import { saveParents } from '../authority/role-tree'
import type { Caller } from '../http/caller'
import { type FieldProblem, fieldProblem } from '../http/problem'
import { dateOf, iso, itemKeySchema, termsWire } from '../http/schemas'
import { requireWritten } from '../http/version'
import { type GrantInput, grantSchema, toGrantRow } from './grants'
import { itemShape, misplacedKey, saveItem } from './permissions'
import { resourceContent } from './resources'
import { roleContent } from './roles'

/**
 * The permission model of a space as one document, the difference between two documents, and the
 * changes that lead from one to the other.
 */

const { audience, prefix, name, tokenSeconds, tokenAlg, tokenType, enabled } = resourceContent.shape
const { openToAppManagers, subpaths, publishMetadata, documentation } = resourceContent.shape

const itemSchema = z.strictObject({ key: itemKeySchema, ...itemShape })

const apiSchema = z.strictObject({
  prefix,
  audience,
  name,
  tokenSeconds,
  tokenAlg,
  tokenType,
  enabled,
  openToAppManagers,
  subpaths,
  publishMetadata,
  documentation,
  permissions: z.array(itemSchema).max(10_000).default([]),
})

const roleSchema = roleContent.extend({
  permissions: z.array(grantSchema).max(10_000).default([]),
})

export const modelSchema = z.strictObject({
  resources: z.array(apiSchema).max(500).default([]),
  roles: z.array(roleSchema).max(5_000).default([]),
})
export type Model = z.infer<typeof modelSchema>

/** A stored model can be read even if it would be refused today. */
const storedSchema = modelSchema.extend({
  resources: z.array(
    apiSchema.extend({ audience: z.string(), documentation: z.string().nullable() }),
  ),
  roles: z.array(
    roleSchema.extend({
      permissions: z.array(grantSchema.extend({ condition: termsWire.condition })),
    }),
  ),
})

export const diffSchema = z.object({
  create: z.array(z.string()),
  change: z.array(z.string()),
  remove: z.array(z.string()),
})
export type Diff = z.infer<typeof diffSchema>

export async function modelOf(op: Op, spaceId: string): Promise<Model> {
  const [apis, roles] = await op.read((db) => readModel(db, spaceId))
  return storedSchema.parse({
    resources: apis.map((api) => ({
      prefix: api.prefix,
      audience: api.audience,
      name: api.name,
      tokenSeconds: api.tokenSeconds,
      tokenAlg: api.tokenAlg,
      tokenType: api.tokenType,
      enabled: api.disabledAt === null,
      openToAppManagers: api.openToAppManagers,
      subpaths: api.subpaths,
      publishMetadata: api.publishMetadata,
      documentation: api.documentation,
      permissions: api.items.map(({ key, descriptions, userBound, needsRole, sensitive }) => ({
        key,
        descriptions,
        userBound,
        needsRole,
        sensitive,
      })),
    })),
    roles: roles.map((role) => ({
      key: role.key,
      name: role.name,
      description: role.description,
      type: role.type,
      parents: role.parents.map(({ parent }) => parent.key).sort(),
      permissions: role.grants.map((grant) => ({
        pattern: grant.pattern,
        effect: grant.effect,
        condition: grant.condition,
        validFrom: iso(grant.validFrom),
        validUntil: iso(grant.validUntil),
      })),
    })),
  })
}

// ---------------------------------------------------------------- what differs

type Part = Map<string, string>

function partsOf(model: Model): Part {
  const parts: Part = new Map()
  for (const { permissions, ...api } of model.resources) {
    parts.set(`resource ${api.prefix}`, JSON.stringify(api))
    for (const item of permissions) parts.set(`permission ${item.key}`, JSON.stringify(item))
  }
  for (const { permissions, parents, ...role } of model.roles) {
    const sorted = permissions.map((grant) => JSON.stringify(normal(grant))).sort()
    parts.set(`role ${role.key}`, JSON.stringify({ ...role, parents: [...parents].sort(), sorted }))
  }
  return parts
}

/** The same time can be written in several ways. */
function normal(grant: z.infer<typeof grantSchema>) {
  const { validFrom, validUntil } = grant
  return { ...grant, validFrom: iso(dateOf(validFrom)), validUntil: iso(dateOf(validUntil)) }
}

export function diffOf(before: Model, after: Model): Diff {
  const [had, has] = [partsOf(before), partsOf(after)]
  return {
    create: [...has.keys()].filter((part) => !had.has(part)),
    change: [...has.keys()].filter((part) => had.has(part) && had.get(part) !== has.get(part)),
    remove: [...had.keys()].filter((part) => !has.has(part)),
  }
}

// ---------------------------------------------------------------- what is wrong

/** Every problem that can be found in the document alone. */
export function modelProblems(model: Model): FieldProblem[] {
  return [
    ...twice(
      model.resources.map(({ prefix }) => prefix),
      '/resources',
    ),
    ...twice(
      model.roles.map(({ key }) => key),
      '/roles',
    ),
    ...model.resources.flatMap(({ prefix, permissions }, at) =>
      permissions.flatMap(({ key }, index) => {
        const misplaced = misplacedKey(key, prefix)
        const pointer = `/resources/${at}/permissions/${index}/key`
        return misplaced ? [fieldProblem(pointer, misplaced)] : []
      }),
    ),
    ...itemsTwice(model),
    ...parentProblems(model),
    ...model.roles.flatMap(({ permissions }, at) =>
      periodProblems(permissions, (index) => `/roles/${at}/permissions/${index}`),
    ),
  ]
}

function twice(keys: string[], base: string): FieldProblem[] {
  const seen = new Set<string>()
  return keys.flatMap((key, at) => {
    const known = seen.has(key)
    seen.add(key)
    return known ? [fieldProblem(`${base}/${at}`, errorMessage('occurs_twice', { key }))] : []
  })
}

/** Keys of permissions are unique in the whole document, also those without a prefix. */
function itemsTwice({ resources }: Model): FieldProblem[] {
  const seen = new Set<string>()
  return resources.flatMap(({ permissions }, at) =>
    permissions.flatMap(({ key }, index) => {
      const known = seen.has(key)
      seen.add(key)
      const pointer = `/resources/${at}/permissions/${index}/key`
      return known ? [fieldProblem(pointer, errorMessage('occurs_twice', { key }))] : []
    }),
  )
}

function parentProblems({ roles }: Model): FieldProblem[] {
  const keys = new Set(roles.map(({ key }) => key))
  return roles.flatMap(({ parents }, at) =>
    parents.flatMap((parent, index) =>
      keys.has(parent)
        ? []
        : [fieldProblem(`/roles/${at}/parents/${index}`, errorMessage('unknown_role_in_model'))],
    ),
  )
}

/** All grants of a role of the document, its own and those of its parent roles. */
export function grantsReachedIn({ roles }: Model): (key: string) => GrantInput[] {
  const byKey = new Map(roles.map((role) => [role.key, role]))
  return (key) => {
    const reached = new Set([key])
    // The loop also visits what it adds.
    for (const one of reached) {
      for (const parent of byKey.get(one)?.parents ?? []) reached.add(parent)
    }
    return [...reached].flatMap((one) => byKey.get(one)?.permissions ?? [])
  }
}

// ---------------------------------------------------------------- from one to the other

type Resource = Model['resources'][number]
type Role = Model['roles'][number]

/** Returns what somebody had opened in an emergency of an API that is gone now. */
export async function replaceModel(
  op: Op,
  tx: Transaction,
  { caller, spaceId }: { caller: Caller; spaceId: string },
  model: Model,
  diff: Diff,
): Promise<EndedAlone[]> {
  const touched = new Set([...diff.create, ...diff.change])
  const ended = await removeParts(op, tx, spaceId, diff.remove)
  for (const api of model.resources) await saveApi(op, tx, spaceId, api, touched)
  const roles = model.roles.filter(({ key }) => touched.has(`role ${key}`))
  for (const role of roles) await saveRole(op, tx, { caller, spaceId }, role)
  const ids = await roleIdsIn(tx, spaceId)
  const parents = roles.flatMap(({ key, parents: above }): [string, string[]][] => {
    const id = ids.get(key)
    return id === undefined ? [] : [[id, above.flatMap((parent) => ids.get(parent) ?? [])]]
  })
  await saveParents(tx, spaceId, new Map(parents), '/roles')
  return ended
}

async function removeParts(
  op: Op,
  tx: Transaction,
  spaceId: string,
  parts: string[],
): Promise<EndedAlone[]> {
  const named = (kind: string) =>
    parts.flatMap((part) => (part.startsWith(`${kind} `) ? [part.slice(kind.length + 1)] : []))
  await removeRolesNamed(tx, spaceId, named('role'))
  await removeItemsNamed(tx, spaceId, named('permission'))
  return removeApisNamed(tx, spaceId, named('resource'), op.now())
}

async function saveApi(
  op: Op,
  tx: Transaction,
  spaceId: string,
  { permissions, ...resource }: Resource,
  touched: ReadonlySet<string>,
): Promise<void> {
  const items = permissions.filter(({ key }) => touched.has(`permission ${key}`))
  const isTouched = touched.has(`resource ${resource.prefix}`)
  if (!isTouched && items.length === 0) return
  const found = await findApi(tx, spaceId, resource.prefix)
  const apiId = isTouched || !found ? await saveFields(op, tx, spaceId, resource, found) : found.id
  for (const { key, ...item } of items) {
    await saveItem(tx, key, { ...item, apiId }, await findItem(tx, spaceId, key), op.now())
  }
}

async function saveFields(
  op: Op,
  tx: Transaction,
  spaceId: string,
  { prefix, enabled, ...rest }: Omit<Resource, 'permissions'>,
  before: ApiRow | null,
): Promise<string> {
  const now = op.now()
  const fields = { ...rest, disabledAt: enabled ? null : (before?.disabledAt ?? now) }
  if (before) {
    requireWritten(await updateApi(tx, before, fields, now))
    return before.id
  }
  return (await insertApi(tx, { id: newId('api'), spaceId, prefix, ...fields }, now)).id
}

async function saveRole(
  op: Op,
  tx: Transaction,
  { caller, spaceId }: { caller: Caller; spaceId: string },
  { permissions, parents: _later, ...fields }: Role,
): Promise<void> {
  const now = op.now()
  const found = await findRole(tx, spaceId, fields.key)
  const id = found?.id ?? newId('rol')
  if (found) requireWritten(await updateRole(tx, found, fields, now))
  else await insertRole(tx, { id, spaceId, ...fields }, now)
  const held = found ? await grantsOfRole(tx, id) : []
  const rows = withGrantors(caller, held, permissions.map(toGrantRow.forth))
  await replaceRoleGrants(tx, id, rows, now)
}
