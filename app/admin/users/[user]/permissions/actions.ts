'use server'

import { redirect } from 'next/navigation'
import { adminApi, type Sent } from '@/lib/admin/api'
import * as groups from '@/lib/api/routes/groups'
import * as userRoles from '@/lib/api/routes/user-roles'
import { textOf } from '@/lib/browser/form'

const userIn = (form: FormData) => textOf(form, 'user')
const idIn = (form: FormData) => textOf(form, 'id')

function back(form: FormData, sent: Sent<unknown>, done: string): never {
  redirect(
    `/admin/users/${encodeURIComponent(userIn(form))}/permissions?done=${sent.ok ? done : 'refused'}`,
  )
}

export async function addGroup(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { group: idIn(form), user: userIn(form) }
  const sent = await api.send(groups.addGroupMember, { params })
  back(form, sent, 'groupsChanged')
}

export async function leaveGroup(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { group: idIn(form), user: userIn(form) }
  const sent = await api.send(groups.removeGroupMember, { params })
  back(form, sent, 'groupsChanged')
}

export async function giveRole(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { user: userIn(form), role: idIn(form) }
  const sent = await api.send(userRoles.giveRole, { params })
  back(form, sent, 'rolesChanged')
}

export async function takeRole(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { user: userIn(form), role: idIn(form) }
  const sent = await api.send(userRoles.takeRole, { params })
  back(form, sent, 'rolesChanged')
}
