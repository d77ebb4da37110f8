'use server'

import { redirect } from 'next/navigation'
import { type AdminApi, adminApi } from '@/lib/admin/api'
import { press, sendForm } from '@/lib/admin/form-call'
import { type VerifiedWire, verifyAuditEvents } from '@/lib/api/records/audit'
import { createAuditView, deleteAuditView } from '@/lib/api/records/audit-views'
import type { FormState } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'

export async function saveView(_before: FormState, form: FormData): Promise<FormState> {
  const query = textOf(form, 'query')
  const body = { name: textOf(form, 'name'), query }
  const saved = await sendForm(form, createAuditView, { body }, 'view')
  return saved.refused ?? redirect(`/admin/audit?${query}&done=viewSaved`)
}

export async function deleteView(form: FormData): Promise<void> {
  return press(
    deleteAuditView,
    { params: { id: textOf(form, 'id') } },
    '/admin/audit',
    'viewDeleted',
  )
}

const MAX_MS = 8_000

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
  const deadline = performance.now() + MAX_MS
  let checked = known
  for (let after = from; ; ) {
    const done = await api.get(verifyAuditEvents, { query: { after } })
    checked += done.checked
    if (done.state !== 'unfinished' || performance.now() > deadline) return { ...done, checked }
    after = done.upTo
  }
}
