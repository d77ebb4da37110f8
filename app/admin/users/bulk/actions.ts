'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { type FormState, refused } from '@/lib/admin/form'
import * as batch from '@/lib/api/routes/user-batch'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

export async function changeUsers(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const group = textOf(form, 'group')
  const body = {
    do: textOf(form, 'do'),
    users: textOf(form, 'users').split(' '),
    ...(group !== '' && { group }),
  }
  const sent = await api.send(batch.changeUsers, { body })
  if (!sent.ok) return refused(sent.problem, form, (await currentMessages()).admin.problems)
  redirect('/admin/users?done=batchDone')
}
