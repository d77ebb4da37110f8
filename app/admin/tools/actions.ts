'use server'

import { cookies } from 'next/headers'
import { cookieOptions } from '@/lib/accounts/session-cookie'
import { adminApi } from '@/lib/admin/api'
import { chosenIn } from '@/lib/admin/choice'
import { startTestLogin } from '@/lib/api/applications/test-logins'
import { type FormState, mistaken, problemText, refused } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { redirectAfterAction } from '@/lib/browser/redirect-after-action'
import { op } from '@/lib/op'

/** The test belongs to this browser: its cookie is set here and nowhere else. */
export async function startTest(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { admin, choose } = await currentMessages()
  const { problems } = admin
  const client = await chosenIn(api, 'application', form, 'client', choose)
  if (client.mistake) return mistaken(form, client.mistake)
  const body = { ...askIn(form), client: client.found.id }
  const started = await api.send(startTestLogin, { body })
  if (!started.ok) {
    const { code } = started.problem
    const text = problemText(started.problem, problems)
    // What is not there, or cannot be tested, is the application that was named.
    if (code === 'not_found' || code === 'conflict')
      return mistaken(form, { field: 'client', text })
    return refused(started.problem, form, problems, {}, problems.own.testLogin)
  }
  const { url, cookie, expiresAt } = started.body
  const portal = await op()
  if (cookie) {
    const options = { ...cookieOptions(portal), expires: new Date(expiresAt) }
    ;(await cookies()).set(cookie.name, cookie.value, options)
  }
  const goTo = url.slice(portal.origin.length)
  return { made: { goTo: redirectAfterAction(goTo, form) } }
}

function askIn(form: FormData) {
  const text = (name: string) => textOf(form, name).trim()
  const scope = text('scope').split(/\s+/).join(' ')
  return {
    ...(scope !== '' && { scope }),
    ...(text('resource') !== '' && { resource: [text('resource')] }),
    ...(text('prompt') !== '' && { prompt: text('prompt') }),
    ...(text('acr_values') !== '' && { acr_values: text('acr_values') }),
  }
}
