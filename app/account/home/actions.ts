'use server'

import { redirect } from 'next/navigation'
import { markRead } from '@/lib/accounts/news'
import { textOf } from '@/lib/browser/form'
import { requireUser } from '@/lib/browser/session'
import { op } from '@/lib/op'

export async function markAllRead(form: FormData): Promise<never> {
  await markRead(await op(), await requireUser(), textOf(form, 'upTo'))
  redirect('/account/home')
}
