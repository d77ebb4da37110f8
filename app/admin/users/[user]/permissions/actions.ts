'use server'

import { redirect } from 'next/navigation'
import { adminApi, type Sent } from '@/lib/admin/api'
import { textOf } from '@/lib/browser/form'

const userIn = (form: FormData) => encodeURIComponent(textOf(form, 'user'))
const idIn = (form: FormData) => encodeURIComponent(textOf(form, 'id'))

function back(form: FormData, sent: Sent<unknown>, done: string): never {
  redirect(`/admin/users/${userIn(form)}/permissions?done=${sent.ok ? done : 'refused'}`)
}

export async function addGroup(form: FormData): Promise<void> {
  const api = await adminApi()
  const path = `/groups/${idIn(form)}/members/${userIn(form)}`
  back(form, await api.sendPath('PUT', path), 'groupsChanged')
}

export async function leaveGroup(form: FormData): Promise<void> {
  const api = await adminApi()
  const path = `/groups/${idIn(form)}/members/${userIn(form)}`
  back(form, await api.sendPath('DELETE', path), 'groupsChanged')
}

export async function giveRole(form: FormData): Promise<void> {
  const api = await adminApi()
  const path = `/users/${userIn(form)}/roles/${idIn(form)}`
  back(form, await api.sendPath('PUT', path), 'rolesChanged')
}

export async function takeRole(form: FormData): Promise<void> {
  const api = await adminApi()
  const path = `/users/${userIn(form)}/roles/${idIn(form)}`
  back(form, await api.sendPath('DELETE', path), 'rolesChanged')
}
