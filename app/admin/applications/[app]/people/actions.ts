'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { textOf } from '@/lib/browser/form'

export async function removePerson(form: FormData): Promise<void> {
  const api = await adminApi()
  const path = `/applications/${encodeURIComponent(textOf(form, 'id'))}/people`
  const gone = await api.sendPath('DELETE', `${path}/${encodeURIComponent(textOf(form, 'user'))}`)
  redirect(`/admin${path}?done=${gone.ok ? 'personRemoved' : 'refused'}`)
}
