'use server'

import { redirect } from 'next/navigation'
import { confirmEmailChange } from '@/lib/accounts/change-email'
import { textOf } from '@/lib/form'
import { op } from '@/lib/op'
import { requestOrigin } from '@/lib/session'

export async function takeAddress(form: FormData): Promise<void> {
  const done = await confirmEmailChange(await op(), textOf(form, 'token'), await requestOrigin())
  redirect(done ? '/email/done' : '/email')
}
