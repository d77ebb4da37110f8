'use server'

import { redirect } from 'next/navigation'
import { sendNamed } from '@/lib/admin/form-call'
import * as merge from '@/lib/api/users/merge'
import { type FormState, valuesOf } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'

export async function mergeUsers(_before: FormState, form: FormData): Promise<FormState> {
  const body = {
    from: textOf(form, 'from'),
    preview: textOf(form, 'preview'),
    take: valuesOf(form, 'take'),
    confirm: valuesOf(form, 'confirm'),
  }
  const params = { user: textOf(form, 'user') }
  const done = await sendNamed(form, merge.mergeUsers, { params, body })
  return (
    done.refused ?? redirect(`/admin/users/${encodeURIComponent(params.user)}?done=usersMerged`)
  )
}
