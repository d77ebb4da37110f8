'use server'

import { redirect } from 'next/navigation'
import { type AdminApi, adminApi } from '@/lib/admin/api'
import { chosenIn } from '@/lib/admin/choice'
import { sendForm } from '@/lib/admin/form-call'
import { createAssignments } from '@/lib/api/permissions/assignments'
import { getRoleById } from '@/lib/api/permissions/role-overview'
import * as batch from '@/lib/api/users/user-batch'
import { listUserRoles } from '@/lib/api/users/user-memberships'
import { type FormState, mistaken, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

export async function changeUsers(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  if (textOf(form, 'do') === 'assign_role') return assignRole(api, form)
  const { choose } = await currentMessages()
  const group = form.has('group') ? await chosenIn(api, 'group', form, 'group', choose) : null
  if (group?.mistake) return mistaken(form, group.mistake)
  const body = {
    do: textOf(form, 'do'),
    users: usersIn(form),
    ...(group && { group: group.found.id }),
  }
  const sent = await sendForm(form, batch.changeUsers, { body })
  return sent.refused ?? redirect('/admin/users?done=batchDone')
}

function usersIn(form: FormData): string[] {
  return textOf(form, 'users').split(' ')
}

/** Whoever holds it already, on no terms, holds it once. */
async function assignRole(api: AdminApi, form: FormData): Promise<FormState> {
  const { admin, choose } = await currentMessages()
  const chosen = await chosenIn(api, 'role', form, 'role', choose)
  if (chosen.mistake) return mistaken(form, chosen.mistake)
  const role = await api.get(getRoleById, { params: { role: chosen.found.id } })
  const lacking: string[] = []
  for (const user of usersIn(form)) if (!(await holds(api, user, role.id))) lacking.push(user)
  if (lacking.length > 0) {
    const assignments = lacking.map((id) => ({ role: role.id, subject: { type: 'user', id } }))
    const input = { params: { space: role.space }, body: { assignments } }
    const sent = await api.send(createAssignments, input)
    if (!sent.ok) return refused(sent.problem, form, admin.problems, { assignments: 'role' })
  }
  redirect('/admin/users?done=batchDone')
}

async function holds(api: AdminApi, user: string, role: string): Promise<boolean> {
  const { data } = await api.get(listUserRoles, { params: { user } })
  return data.some(
    (one) =>
      one.role === role &&
      one.group === null &&
      one.effect === 'allow' &&
      [one.instance, one.condition, one.validFrom, one.validUntil].every((term) => term === null),
  )
}
