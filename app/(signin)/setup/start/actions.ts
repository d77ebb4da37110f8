'use server'

import { redirect } from 'next/navigation'
import { applyDocument } from '@/lib/api/configuration/routes'
import { SAMPLE_SHOP } from '@/lib/api/configuration/sample-shop'
import { type FormState, refused } from '@/lib/browser/api-form'
import { currentMessages } from '@/lib/browser/locale'
import { ownerApi } from '../owner'

/** The sample shop is a configuration document, and is applied like any other. */
export async function loadSample(_before: FormState, form: FormData): Promise<FormState> {
  const api = await ownerApi()
  const { problems } = await currentMessages()
  const applied = await api.send(applyDocument, { body: SAMPLE_SHOP })
  if (!applied.ok) return refused(applied.problem, form, problems)
  redirect('/admin?done=sampleLoaded')
}
