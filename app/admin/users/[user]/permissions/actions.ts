'use server'

import { redirect } from 'next/navigation'
import { adminApi, type Sent } from '@/lib/admin/api'
import { chosenIn } from '@/lib/admin/choice'
import * as groups from '@/lib/api/routes/groups'
import * as userRoles from '@/lib/api/routes/user-roles'
import { type FormState, mistaken, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

const userIn = (form: FormData) => textOf(form, 'user')
const idIn = (form: FormData) => textOf(form, 'id')

function back(form: FormData, sent: Sent<unknown>, done: string): never {
  redirect(
    `/admin/users/${encodeURIComponent(userIn(form))}/permissions?done=${sent.ok ? done : 'refused'}`,
  )
}

export async function addGroup(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { admin, choose } = await currentMessages()
  const group = await chosenIn(api, 'group', form, 'group', choose)
  if (group.mistake) return mistaken(form, group.mistake)
  const params = { group: group.found.id, user: userIn(form) }
  const sent = await api.send(groups.addGroupMember, { params })
  if (!sent.ok) return refused(sent.problem, form, admin.problems)
  back(form, sent, 'groupsChanged')
}

export async function leaveGroup(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { group: idIn(form), user: userIn(form) }
  const sent = await api.send(groups.removeGroupMember, { params })
  back(form, sent, 'groupsChanged')
}

export async function giveRole(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { admin, choose } = await currentMessages()
  const role = await chosenIn(api, 'role', form, 'role', choose)
  if (role.mistake) return mistaken(form, role.mistake)
  const params = { user: userIn(form), role: role.found.id }
  const sent = await api.send(userRoles.giveRole, { params })
  if (!sent.ok) return refused(sent.problem, form, admin.problems)
  back(form, sent, 'rolesChanged')
}

export async function takeRole(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { user: userIn(form), role: idIn(form) }
  const sent = await api.send(userRoles.takeRole, { params })
  back(form, sent, 'rolesChanged')
}
