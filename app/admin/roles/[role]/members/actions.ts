'use server'

import { redirect } from 'next/navigation'
import { type AdminApi, type ApiProblem, adminApi } from '@/lib/admin/api'
import { type Choice, chosenIn } from '@/lib/admin/choice'
import { reviewOf } from '@/lib/admin/impact'
import { termsIn } from '@/lib/admin/terms'
import * as assignments from '@/lib/api/permissions/assignments'
import { getRoleById } from '@/lib/api/permissions/role-overview'
import type { RoleWire } from '@/lib/api/permissions/roles'
import { type FormState, mistaken, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

/** Who holds a role, and on which terms: shown before it is saved. */

const FIELDS = { subject: 'subject', 'subject/id': 'subject' }

export async function giveRole(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { admin, choose } = await currentMessages()
  const { rolePages: words, problems } = admin
  if (textOf(form, 'subject').trim() === '') {
    return mistaken(form, { field: 'subject', text: words.pickOne })
  }
  const chosen = await chosenIn(api, 'member', form, 'subject', choose)
  if (chosen.mistake) return mistaken(form, chosen.mistake)
  const role = await roleOf(api, form)
  const body = {
    role: role.id,
    subject: { type: subjectKind(chosen.found), id: chosen.found.id },
    ...heldIn(form),
  } as const
  const refuse = (problem: ApiProblem) => refused(problem, form, problems, FIELDS)
  const change = { kind: 'assign', ...body } as const
  const review = await reviewOf(api, { space: role.space, change, form, refuse })
  if (review) return review
  const params = { space: role.space }
  const made = await api.send(assignments.createAssignment, { params, body })
  if (!made.ok) return refuse(made.problem)
  redirect(`/admin/roles/${role.id}/members?done=memberAdded`)
}

export async function saveMember(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const role = await roleOf(api, form)
  const assignment = textOf(form, 'assignment')
  const body = heldIn(form)
  const refuse = (problem: ApiProblem) => refused(problem, form, problems)
  const change = { kind: 'change_assignment', assignment, ...body } as const
  const review = await reviewOf(api, { space: role.space, change, form, refuse })
  if (review) return review
  const params = { space: role.space, id: assignment }
  const version = textOf(form, 'version')
  const saved = await api.send(assignments.changeAssignment, { params, body, version })
  if (!saved.ok) return refuse(saved.problem)
  redirect(`/admin/roles/${role.id}/members?done=memberSaved`)
}

export async function takeRole(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const role = await roleOf(api, form)
  const assignment = textOf(form, 'assignment')
  const refuse = (problem: ApiProblem) => refused(problem, form, problems)
  const change = { kind: 'unassign', assignment } as const
  const review = await reviewOf(api, { space: role.space, change, form, refuse })
  if (review) return review
  const params = { space: role.space, id: assignment }
  const version = textOf(form, 'version')
  const gone = await api.send(assignments.deleteAssignment, { params, version })
  if (!gone.ok) return refuse(gone.problem)
  redirect(`/admin/roles/${role.id}/members?done=memberRemoved`)
}

function roleOf(api: AdminApi, form: FormData): Promise<RoleWire> {
  return api.get(getRoleById, { params: { role: textOf(form, 'id') } })
}

function subjectKind({ kind }: Choice): 'user' | 'group' | 'client' {
  if (kind === 'application') return 'client'
  return kind === 'group' ? kind : 'user'
}

function heldIn(form: FormData) {
  return { instance: textOf(form, 'instance').trim() || null, ...termsIn(form) }
}
