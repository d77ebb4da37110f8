'use server'

import { redirect } from 'next/navigation'
import { secureAccount } from '@/lib/accounts/not-me'
import { textOf } from '@/lib/browser/form'
import { requestOrigin } from '@/lib/browser/session'
import { op } from '@/lib/op'

/** Without a sign-in: whoever was locked out must be able to do this. */
export async function secure(form: FormData): Promise<void> {
  const secured = await secureAccount(await op(), textOf(form, 'token'), await requestOrigin())
  if (!secured) redirect('/not-me')
  redirect(secured.newPasswordByMail ? '/not-me/done?mail=sent' : '/not-me/done')
}
