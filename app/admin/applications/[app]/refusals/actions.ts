'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { changeApplication } from '@/lib/api/applications/applications'
import { listApplicationRefusals } from '@/lib/api/applications/refusals'
import { textOf } from '@/lib/browser/form'

/** Takes what the portal offers for one refusal: the page names the refusal, not the setting. */
export async function takeOffer(form: FormData): Promise<void> {
  const api = await adminApi()
  const params = { id: textOf(form, 'id') }
  const { data } = await api.get(listApplicationRefusals, { params })
  const offer = data.find(({ id }) => id === textOf(form, 'refusal'))?.offer
  const saved =
    offer &&
    (await api.send(changeApplication, { params, version: textOf(form, 'version'), body: offer }))
  const page = `/admin/applications/${encodeURIComponent(params.id)}/refusals`
  redirect(`${page}?done=${saved?.ok ? 'appSaved' : 'refused'}`)
}
