'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { removeApplicationPerson } from '@/lib/api/applications/people'
import { textOf } from '@/lib/browser/form'

export async function removePerson(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { id: textOf(form, 'id'), user: textOf(form, 'user') }
  const gone = await api.send(removeApplicationPerson, { params })
  const page = `/admin/applications/${encodeURIComponent(params.id)}/people`
  redirect(`${page}?done=${gone.ok ? 'personRemoved' : 'refused'}`)
}
