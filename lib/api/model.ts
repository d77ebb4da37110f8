import { z } from 'zod'
import { DEEPEST_ROLE, misplacedIn } from '../access/hierarchy'
import type { Op } from '../context/op'
import { newId } from '../crypto/secrets'
import type { Transaction } from '../store/database'
import { readModel } from '../store/model'
import { replaceRoleGrants, setParents } from '../store/roles'
import { grantSchema, toGrantRow } from './grants'
import { type FieldProblem, Problem } from './problem'
import {
  dateOf,
  iso,
  itemKeySchema,
  keySchema,
  languageSchema,
  nameSchema,
  prefixSchema,
  termsWire,
  textSchema,
} from './schemas'

/** A space's whole model as one document, what differs between two of them, and the way from one to the other. */

const itemSchema = z.strictObject({
  key: itemKeySchema,
  descriptions: languageSchema.default({}),
  userBound: z.boolean().default(false),
  needsRole: z.boolean().default(false),
  sensitive: z.boolean().default(false),
})

const apiSchema = z.strictObject({
  prefix: prefixSchema,
  audience: z.url().max(255),
  name: nameSchema,
  tokenSeconds: z.number().int().min(60).max(86_400).default(3_600),
  tokenAlg: z.enum(['ES256', 'RS256']).nullable().default(null),
  enabled: z.boolean().default(true),
  openToAppManagers: z.boolean().default(false),
  permissions: z.array(itemSchema).max(10_000).default([]),
})

const roleSchema = z.strictObject({
  key: keySchema,
  name: nameSchema,
  description: textSchema.nullable().default(null),
  type: z.enum(['user', 'service']).default('user'),
  parents: z.array(z.string().max(255)).max(50).default([]),
  permissions: z.array(grantSchema).max(10_000).default([]),
})

export const modelSchema = z.strictObject({
  resources: z.array(apiSchema).max(500).default([]),
  roles: z.array(roleSchema).max(5_000).default([]),
})
export type Model = z.infer<typeof modelSchema>

/** What is there is shown as it is, a condition too that would not be taken any more. */
const storedSchema = modelSchema.extend({
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
      enabled: api.disabledAt === null,
      openToAppManagers: api.openToAppManagers,
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

/** The same moment may be written in several ways. */
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

/** Everything that a document can get wrong about itself. */
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
      permissions.flatMap(({ key }, index) =>
        key.includes(':') && !key.startsWith(`${prefix}:`)
          ? [problem(`/resources/${at}/permissions/${index}/key`, `starts with ${prefix}:`)]
          : [],
      ),
    ),
    ...parentProblems(model),
  ]
}

function twice(keys: string[], base: string): FieldProblem[] {
  const seen = new Set<string>()
  return keys.flatMap((key, at) => {
    const known = seen.has(key)
    seen.add(key)
    return known ? [problem(`${base}/${at}`, `${key} is there twice`)] : []
  })
}

function parentProblems({ roles }: Model): FieldProblem[] {
  const byKey = new Map(roles.map((role) => [role.key, role]))
  return roles.flatMap(({ parents }, at) =>
    parents.flatMap((parent, index) =>
      byKey.has(parent) ? [] : [problem(`/roles/${at}/parents/${index}`, 'no such role')],
    ),
  )
}

export function requireNoCycles({ roles }: Model): void {
  const misplaced = misplacedIn(new Map(roles.map((role) => [role.key, role.parents])))
  if (misplaced === 'cycle') throw new Problem('conflict', 'the parents would form a cycle')
  if (misplaced) throw new Problem('conflict', `roles stand at most ${DEEPEST_ROLE} deep`)
}

function problem(pointer: string, detail: string): FieldProblem {
  return { pointer, code: 'invalid', detail }
}

// ---------------------------------------------------------------- from one to the other

export async function replaceModel(
  op: Op,
  tx: Transaction,
  spaceId: string,
  model: Model,
  diff: Diff,
): Promise<void> {
  const touched = new Set([...diff.create, ...diff.change])
  await removeParts(tx, spaceId, diff.remove)
  for (const api of model.resources) await saveApi(op, tx, spaceId, api, touched)
  const roles = model.roles.filter(({ key }) => touched.has(`role ${key}`))
  for (const role of roles) await saveRole(op, tx, spaceId, role)
  const ids = new Map(
    (await tx.role.findMany({ where: { spaceId }, select: { id: true, key: true } })).map(
      ({ id, key }) => [key, id],
    ),
  )
  for (const { key, parents } of roles) {
    await setParents(
      tx,
      ids.get(key) ?? '',
      parents.flatMap((parent) => ids.get(parent) ?? []),
    )
  }
}

async function removeParts(tx: Transaction, spaceId: string, parts: string[]): Promise<void> {
  const named = (kind: string) =>
    parts.flatMap((part) => (part.startsWith(`${kind} `) ? [part.slice(kind.length + 1)] : []))
  await tx.role.deleteMany({ where: { spaceId, key: { in: named('role') } } })
  await tx.permissionItem.deleteMany({
    where: { key: { in: named('permission') }, api: { spaceId } },
  })
  await tx.api.deleteMany({ where: { spaceId, prefix: { in: named('resource') } } })
}

async function saveApi(
  op: Op,
  tx: Transaction,
  spaceId: string,
  { permissions, enabled, ...fields }: Model['resources'][number],
  touched: Set<string>,
): Promise<void> {
  const now = op.now()
  const { prefix } = fields
  if (touched.has(`resource ${prefix}`)) {
    const data = { ...fields, disabledAt: enabled ? null : now, updatedAt: now }
    const found = await tx.api.findFirst({ where: { spaceId, prefix } })
    if (found) {
      const version = { increment: 1 }
      await tx.api.update({ where: { id: found.id }, data: { ...data, version } })
    } else {
      await tx.api.create({ data: { id: newId('api'), spaceId, ...data, createdAt: now } })
    }
  }
  const api = await tx.api.findFirstOrThrow({ where: { spaceId, prefix } })
  for (const item of permissions.filter(({ key }) => touched.has(`permission ${key}`))) {
    const data = { ...item, apiId: api.id, updatedAt: now }
    const { count } = await tx.permissionItem.updateMany({
      where: { key: item.key, api: { spaceId } },
      data: { ...data, version: { increment: 1 } },
    })
    if (count === 0) {
      await tx.permissionItem.create({ data: { id: newId('itm'), ...data, createdAt: now } })
    }
  }
}

async function saveRole(
  op: Op,
  tx: Transaction,
  spaceId: string,
  { permissions, parents: _later, ...fields }: Model['roles'][number],
): Promise<void> {
  const now = op.now()
  const found = await tx.role.findFirst({ where: { spaceId, key: fields.key } })
  const id = found?.id ?? newId('rol')
  if (found) {
    const data = { ...fields, updatedAt: now, version: { increment: 1 } }
    await tx.role.update({ where: { id }, data })
  } else {
    await tx.role.create({ data: { id, spaceId, ...fields, createdAt: now, updatedAt: now } })
  }
  await replaceRoleGrants(tx, id, permissions.map(toGrantRow.forth), now)
}
