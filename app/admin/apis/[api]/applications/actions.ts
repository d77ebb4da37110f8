'use server'

import { redirect } from 'next/navigation'
import { adminApi } from '@/lib/admin/api'
import { foundIn, meantBy } from '@/lib/admin/choice'
import { sendForm } from '@/lib/admin/form-call'
import { hasTerms } from '@/lib/admin/terms'
import { getResourceGrants, replaceResourceGrants } from '@/lib/api/permissions/resource-grants'
import { type FormState, mistaken, valuesOf } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'

export async function openApplication(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const typed = paramsIn(form)
  // The owner of an API knows an application by what they were told, even if they cannot read it.
  const named = foundIn(await meantBy(api, 'application', typed.application))
  const params = { ...typed, application: named?.id ?? typed.application }
  if (!(await api.find(getResourceGrants, { params }))) {
    const { no_application, required } = problems.errorMessages
    const text =
      typed.application === '' ? required : fill(no_application, { id: typed.application })
    return mistaken(form, { field: 'client', text })
  }
  const [id, application] = [params.id, params.application].map(encodeURIComponent)
  redirect(`/admin/apis/${id}/applications/${application}`)
}

const PLAIN = {
  effect: 'allow',
  condition: null,
  validFrom: null,
  validUntil: null,
  exchangeFrom: null,
} as const

/** Ticked items are held plainly; what is held on terms stays as it is. */
export async function saveItems(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const params = paramsIn(form)
  const { grants } = await api.get(getResourceGrants, { params })
  const kept = grants.filter(hasTerms).map(({ id: _id, ...grant }) => grant)
  const ticked = valuesOf(form, 'pattern').map((pattern) => ({ ...PLAIN, pattern }))
  const body = { grants: [...kept, ...ticked] }
  const version = textOf(form, 'version')
  const asked = { params, body, version }
  const saved = await sendForm(form, replaceResourceGrants, asked, null, { grants: 'pattern' })
  return (
    saved.refused ??
    redirect(`/admin/apis/${encodeURIComponent(textOf(form, 'api'))}/applications?done=grantsSaved`)
  )
}

function paramsIn(form: FormData) {
  return { id: textOf(form, 'api'), application: textOf(form, 'client').trim() }
}
