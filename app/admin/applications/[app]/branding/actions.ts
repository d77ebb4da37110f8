'use server'

import { redirect } from 'next/navigation'
import { press, sendForm } from '@/lib/admin/form-call'
import { methodsIn, pictureIn, shownIn, textFields, textsIn } from '@/lib/admin/look-form'
import { previewApplication } from '@/lib/admin/sign-in-preview'
import * as brandings from '@/lib/api/applications/branding'
import { type FormState, shownFirst } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'

const FIELDS = {
  methods: 'methods',
  ...textFields('signInText'),
  ...textFields('consentText'),
}

function brandingIn(form: FormData) {
  const colour = (name: string) => textOf(form, name).trim().toLowerCase() || null
  return {
    accent: colour('accent'),
    accentDark: colour('accentDark'),
    signInText: textsIn(form, 'signInText'),
    consentText: textsIn(form, 'consentText'),
    methods: textOf(form, 'ownMethods') === 'yes' ? methodsIn(form) : null,
  }
}

export async function saveBranding(_before: FormState, form: FormData): Promise<FormState> {
  if (textOf(form, 'answer') === 'preview') return previewBranding(form)
  const params = { id: textOf(form, 'id') }
  const asked = { params, body: brandingIn(form), version: textOf(form, 'version') }
  const saved = await sendForm(form, brandings.changeApplicationBranding, asked, null, FIELDS)
  return saved.refused ?? redirect(`${pageOf(form)}?done=brandingSaved`)
}

export async function previewBranding(form: FormData): Promise<FormState<{ address: string }>> {
  const params = { id: textOf(form, 'id') }
  const asked = { params, body: { ...brandingIn(form), ...shownIn(form) } }
  const sent = await sendForm(form, previewApplication, asked, null, FIELDS)
  return sent.refused ? sent.refused : shownFirst(form, sent.body)
}

export async function uploadPicture(_before: FormState, form: FormData): Promise<FormState> {
  const uploaded = await pictureIn(form)
  if (uploaded.refused) return uploaded.refused
  const { picture, field } = uploaded
  const params = { id: textOf(form, 'id'), place: textOf(form, 'place') }
  const asked = { params, body: { picture } }
  const saved = await sendForm(form, brandings.replaceApplicationLogo, asked, null, {
    picture: field,
  })
  return saved.refused ?? redirect(`${pageOf(form)}?done=pictureSaved`)
}

export async function removePicture(form: FormData): Promise<void> {
  const params = { id: textOf(form, 'id'), place: textOf(form, 'place') }
  return press(brandings.removeApplicationLogo, { params }, pageOf(form), 'pictureRemoved')
}

function pageOf(form: FormData): string {
  return `/admin/applications/${encodeURIComponent(textOf(form, 'id'))}/branding`
}
