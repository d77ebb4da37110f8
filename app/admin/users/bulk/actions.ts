'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { type FormState, refused } from '@/lib/admin/form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

export async function changeUsers(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const group = textOf(form, 'group')
  const sent = await api.sendPath('POST', '/users:batch', {
    do: textOf(form, 'do'),
    users: textOf(form, 'users').split(' '),
    ...(group !== '' && { group }),
  })
  if (!sent.ok) return refused(sent.problem, form, (await currentMessages()).admin.problems)
  redirect('/admin/users?done=batchDone')
}
