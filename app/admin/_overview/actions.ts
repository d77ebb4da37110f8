'use server'

import { redirect } from 'next/navigation'
import { adminApi, withQuery } from '@/lib/admin/api'
import { health } from '@/lib/api/records/health'
import { changeSettings, getSettings } from '@/lib/api/settings/routes'
import { valuesOf } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { FIRST_STEPS } from '@/lib/settings/model'

/** What the overview no longer shows is a setting of the portal, so it holds for every admin. */

type Next = (before: readonly string[], named: readonly string[]) => string[]

export async function putAway(form: FormData): Promise<void> {
  await change(form, 'putAway', (before, named) => [...new Set([...before, ...named])])
}

export async function bringBack(form: FormData): Promise<void> {
  await change(form, 'shownAgain', (before, named) => before.filter((one) => !named.includes(one)))
}

async function change(form: FormData, done: string, next: Next): Promise<void> {
  const api = await adminApi()
  const { body, version } = await api.read(getSettings, {})
  // What is no longer found need not be kept.
  const found = new Set((await api.get(health, {})).data.map(({ key }) => key))
  found.add(FIRST_STEPS)
  const after = next(body.putAway, valuesOf(form, 'key')).filter((key) => found.has(key))
  const sent = await api.send(changeSettings, {
    body: { putAway: after },
    ...(version !== null && { version }),
  })
  const page = textOf(form, 'at') === 'health' ? '/admin/settings/health' : '/admin'
  redirect(withQuery(page, { done: sent.ok ? done : 'refused' }))
}
