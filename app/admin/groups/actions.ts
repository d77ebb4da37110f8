'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { type FormState, mistaken, refused } from '@/lib/admin/form'
import type { GroupWire } from '@/lib/api/routes/groups'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

const pathIn = (form: FormData) => `/groups/${encodeURIComponent(textOf(form, 'id'))}`
const groupIn = (form: FormData) => ({ name: textOf(form, 'name'), key: textOf(form, 'key') })

export async function createGroup(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const made = await api.sendPath<GroupWire>('POST', '/groups', groupIn(form))
  if (!made.ok) return refused(made.problem, form, (await currentMessages()).admin.problems)
  redirect(`/admin/groups/${made.body.id}?done=created`)
}

export async function saveGroup(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const saved = await api.sendPath('PATCH', pathIn(form), groupIn(form), textOf(form, 'version'))
  if (!saved.ok) return refused(saved.problem, form, (await currentMessages()).admin.problems)
  redirect(`/admin${pathIn(form)}?done=saved`)
}

export async function deleteGroup(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems, form: words } = (await currentMessages()).admin
  if (textOf(form, 'typed') !== textOf(form, 'name')) {
    return mistaken(form, { field: 'typed', text: words.typeNameWrong })
  }
  const gone = await api.sendPath('DELETE', pathIn(form), undefined, textOf(form, 'version'))
  if (!gone.ok) return refused(gone.problem, form, problems)
  redirect('/admin/groups?done=deleted')
}

export async function takeMember(form: FormData): Promise<void> {
  const api = await adminApi()
  const taken = await api.sendPath(
    'DELETE',
    `${pathIn(form)}/members/${encodeURIComponent(textOf(form, 'user'))}`,
  )
  redirect(`/admin${pathIn(form)}?done=${taken.ok ? 'saved' : 'refused'}`)
}
