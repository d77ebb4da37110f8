'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { chosenIn } from '@/lib/admin/choice'
import { press, sendForm } from '@/lib/admin/form-call'
import * as groups from '@/lib/api/permissions/groups'
import * as userRoles from '@/lib/api/users/user-roles'
import { type FormState, mistaken } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

const userIn = (form: FormData) => textOf(form, 'user')
const idIn = (form: FormData) => textOf(form, 'id')

function pageOf(form: FormData): string {
  return `/admin/users/${encodeURIComponent(userIn(form))}/permissions`
}

export async function addGroup(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { choose } = await currentMessages()
  const group = await chosenIn(api, 'group', form, 'group', choose)
  if (group.mistake) return mistaken(form, group.mistake)
  const params = { group: group.found.id, user: userIn(form) }
  const sent = await sendForm(form, groups.addGroupMember, { params })
  return sent.refused ?? redirect(`${pageOf(form)}?done=groupsChanged`)
}

export async function leaveGroup(form: FormData): Promise<void> {
  const params = { group: idIn(form), user: userIn(form) }
  return press(groups.removeGroupMember, { params }, pageOf(form), 'groupsChanged')
}

export async function giveRole(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { choose } = await currentMessages()
  const role = await chosenIn(api, 'role', form, 'role', choose)
  if (role.mistake) return mistaken(form, role.mistake)
  const params = { user: userIn(form), role: role.found.id }
  const sent = await sendForm(form, userRoles.assignRole, { params })
  return sent.refused ?? redirect(`${pageOf(form)}?done=rolesChanged`)
}

export async function takeRole(form: FormData): Promise<void> {
  const params = { user: userIn(form), role: idIn(form) }
  return press(userRoles.takeRole, { params }, pageOf(form), 'rolesChanged')
}
