'use server'

import { redirect } from 'next/navigation'
import { type AdminApi, adminApi } from '@/lib/admin/api'
import { type FormState, refused } from '@/lib/admin/form'
import type { VerifiedWire } from '@/lib/api/routes/audit'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

export async function saveView(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { problems } = (await currentMessages()).admin
  const query = textOf(form, 'query')
  const saved = await api.sendPath('POST', '/audit-views', { name: textOf(form, 'name'), query })
  if (!saved.ok) return refused(saved.problem, form, problems)
  redirect(`/admin/audit?${query}&done=viewSaved`)
}

export async function deleteView(form: FormData): Promise<void> {
  const api = await adminApi()
  const path = `/audit-views/${encodeURIComponent(textOf(form, 'id'))}`
  const gone = await api.sendPath('DELETE', path)
  redirect(`/admin/audit?done=${gone.ok ? 'viewDeleted' : 'refused'}`)
}

const LONGEST_MS = 8_000

/** As far as it comes in some seconds; the next press goes on from there. */
export async function verify(
  before: FormState<VerifiedWire>,
  _form: FormData,
): Promise<FormState<VerifiedWire>> {
  const api = await adminApi()
  const far = before.made?.state === 'unfinished' ? before.made : null
  return { made: await verifyOn(api, far?.upTo ?? '0', far?.checked ?? 0) }
}

async function verifyOn(api: AdminApi, from: string, known: number): Promise<VerifiedWire> {
  const deadline = performance.now() + LONGEST_MS
  let checked = known
  for (let after = from; ; ) {
    const done = await api.getPath<VerifiedWire>('/audit-events:verify', { after })
    checked += done.checked
    if (done.state !== 'unfinished' || performance.now() > deadline) return { ...done, checked }
    after = done.upTo
  }
}
