'use server'

import { adminApi, withQuery } from '@/lib/admin/api'
import { press } from '@/lib/admin/form-call'
import { changeApplication, getApplication } from '@/lib/api/applications/applications'
import { textOf } from '@/lib/browser/form'

/** Adds the address that a sample needs, with the checks that the settings have. */
export async function addAddress(form: FormData): Promise<never> {
  const params = { id: textOf(form, 'id') }
  const { redirectUris, origins } = await (await adminApi()).get(getApplication, { params })
  const uri = textOf(form, 'uri')
  const body =
    textOf(form, 'list') === 'origins'
      ? { origins: [...(origins ?? []), uri] }
      : { redirectUris: [...redirectUris, uri] }
  const page = `/admin/applications/${encodeURIComponent(params.id)}/quick-start`
  const here = withQuery(page, { with: textOf(form, 'with') })
  return press(
    changeApplication,
    { params, version: textOf(form, 'version'), body },
    here,
    'appSaved',
  )
}
