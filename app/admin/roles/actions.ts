'use server'

import { redirect } from 'next/navigation'
import { type AdminApi, type ApiProblem, adminApi } from '@/lib/admin/api'
import { foundIn, itemsIn, meaningProblem, meantBy } from '@/lib/admin/choice'
import { newKeyIn, wrongName } from '@/lib/admin/form-call'
import { reviewOf } from '@/lib/admin/impact'
import { getRoleById } from '@/lib/api/permissions/role-overview'
import * as roles from '@/lib/api/permissions/roles'
import { type FormState, mistaken, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'

export async function createRole(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { admin } = await currentMessages()
  const params = { space: textOf(form, 'space') }
  const { parents, mistake } = await parentsIn(api, form, params.space)
  if (mistake) return mistaken(form, mistake)
  const body = { ...roleIn(form), key: newKeyIn(form), parents }
  const made = await api.send(roles.createRole, { params, body })
  if (!made.ok) return misplaced(made.problem, form, admin)
  redirect(`/admin/roles/${made.body.id}/permissions?done=roleCreated`)
}

/** Who stands above whom changes what people may do, so that is shown first. */
export async function saveRole(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { admin } = await currentMessages()
  const role = await roleOf(api, form)
  const { parents, mistake } = await parentsIn(api, form, role.space)
  if (mistake) return mistaken(form, mistake)
  const body = { ...roleIn(form), parents }
  if (!sameSet(role.parents, body.parents)) {
    const change = { kind: 'role_parents', role: role.id, parents: body.parents } as const
    const refuse = (problem: ApiProblem) => misplaced(problem, form, admin)
    const review = await reviewOf(api, { space: role.space, change, form, refuse })
    if (review) return review
  }
  const params = { space: role.space, role: role.id }
  const version = textOf(form, 'version')
  const saved = await api.send(roles.changeRole, { params, body, version })
  if (!saved.ok) return misplaced(saved.problem, form, admin)
  redirect(`/admin/roles/${role.id}?done=roleSaved`)
}

export async function deleteRole(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { admin } = await currentMessages()
  const wrong = await wrongName(form)
  if (wrong) return wrong
  const { id, space } = await roleOf(api, form)
  const change = { kind: 'delete_role', role: id } as const
  const refuse = (problem: ApiProblem) => refused(problem, form, admin.problems)
  const review = await reviewOf(api, { space, change, form, refuse })
  if (review) return review
  const params = { space, role: id }
  const gone = await api.send(roles.deleteRole, { params, version: textOf(form, 'version') })
  if (!gone.ok) return refuse(gone.problem)
  redirect(`/admin/roles?space=${encodeURIComponent(space)}&done=roleDeleted`)
}

function roleOf(api: AdminApi, form: FormData): Promise<roles.RoleWire> {
  return api.get(getRoleById, { params: { role: textOf(form, 'id') } })
}

function roleIn(form: FormData) {
  return {
    name: textOf(form, 'name'),
    key: textOf(form, 'key').trim(),
    description: textOf(form, 'description').trim() || null,
    type: textOf(form, 'type'),
  }
}

/** By key, or by name; the API knows them by key. */
async function parentsIn(api: AdminApi, form: FormData, space: string) {
  const { choose } = await currentMessages()
  const parents: string[] = []
  for (const text of itemsIn(form, 'parents')) {
    const meant = await meantBy(api, 'role', text, space)
    const found = foundIn(meant)
    if (!found) {
      const mistake = { field: 'parents', text: meaningProblem(meant, choose) ?? '' }
      return { parents, mistake }
    }
    parents.push(found.hint ?? found.id)
  }
  return { parents: [...new Set(parents)].sort() }
}

/** A circle, or too deep a tree, is said in words that help (attack N12). */
function misplaced(problem: ApiProblem, form: FormData, admin: Messages['admin']): FormState {
  const { cycle, tooDeep } = admin.rolePages
  const own = { ...admin.problems.own.role, 'parents.cycle': cycle, 'parents.too_deep': tooDeep }
  return refused(problem, form, admin.problems, {}, own)
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return [...a].sort().join(' ') === [...b].sort().join(' ')
}
