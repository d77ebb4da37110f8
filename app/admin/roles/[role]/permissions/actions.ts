'use server'

import { redirect } from 'next/navigation'
import { type AdminApi, type ApiProblem, adminApi } from '@/lib/admin/api'
import { wordsIn } from '@/lib/admin/choice'
import { reviewOf } from '@/lib/admin/impact'
import { termsIn } from '@/lib/admin/terms'
import type { GrantWire } from '@/lib/api/permissions/grants'
import { getRoleById } from '@/lib/api/permissions/role-overview'
import { listRolePermissions, replaceRolePermissions } from '@/lib/api/permissions/role-permissions'
import { type FormState, mistaken, refused, valuesOf } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

/** What a role gives is one set: each form makes another one of it, and it is shown before it is saved. */

type Given = Omit<GrantWire, 'id'>

export async function addPermissions(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { rolePages: words } = (await currentMessages()).admin
  const patterns = [...new Set([...valuesOf(form, 'item'), ...wordsIn(form, 'patterns')])]
  if (patterns.length === 0) return mistaken(form, { field: 'patterns', text: words.pickSome })
  const added = patterns.map((pattern): Given => ({ pattern, ...termsIn(form) }))
  return replace(api, form, (held) => withMore(held.map(toGiven), added), {
    permissions: 'patterns',
  })
}

/** What it gives already, on the same terms, is not given twice. */
function withMore(held: Given[], added: Given[]): Given[] {
  const same = (a: Given, b: Given) =>
    a.pattern === b.pattern &&
    a.effect === b.effect &&
    a.condition === b.condition &&
    a.validFrom === b.validFrom &&
    a.validUntil === b.validUntil
  return [...held, ...added.filter((one) => !held.some((other) => same(one, other)))]
}

export async function changePermission(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const changed = (grant: GrantWire): Given => ({ ...toGiven(grant), ...termsIn(form) })
  const isThis = ({ id }: GrantWire) => id === textOf(form, 'grant')
  return replace(api, form, (held) =>
    held.map((grant) => (isThis(grant) ? changed(grant) : toGiven(grant))),
  )
}

export async function takePermissions(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { rolePages: words } = (await currentMessages()).admin
  const taken = valuesOf(form, 'take')
  if (taken.length === 0) return mistaken(form, { field: 'take', text: words.takeNone })
  return replace(api, form, (held) => held.filter(({ id }) => !taken.includes(id)).map(toGiven))
}

async function replace(
  api: AdminApi,
  form: FormData,
  become: (held: GrantWire[]) => Given[],
  fields: Readonly<Record<string, string>> = {},
): Promise<FormState> {
  const { problems } = (await currentMessages()).admin
  const { id, space } = await api.get(getRoleById, { params: { role: textOf(form, 'id') } })
  const params = { space, role: id }
  const held = await api.get(listRolePermissions, { params })
  const permissions = become(held.permissions)
  const refuse = (problem: ApiProblem) => refused(atTerms(problem), form, problems, fields)
  const change = { kind: 'role_permissions', role: id, permissions } as const
  const review = await reviewOf(api, { space, change, form, refuse })
  if (review) return review
  const version = textOf(form, 'version')
  const saved = await api.send(replaceRolePermissions, { params, body: { permissions }, version })
  if (!saved.ok) return refuse(saved.problem)
  redirect(`/admin/roles/${id}/permissions?done=permissionsSaved`)
}

function toGiven({ id: _id, ...given }: GrantWire): Given {
  return given
}

/** `/permissions/3/condition` is the form's condition: all that is new has the same terms. */
function atTerms(problem: ApiProblem): ApiProblem {
  if (!problem.errors) return problem
  const errors = problem.errors.map((error) => ({
    ...error,
    pointer: error.pointer.replace(/^\/permissions\/\d+\/(?!pattern)/, '/'),
  }))
  const told = new Map(errors.map((error) => [`${error.pointer} ${error.detail}`, error]))
  return { ...problem, errors: [...told.values()] }
}
