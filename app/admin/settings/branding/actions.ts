'use server'

import { redirect } from 'next/navigation'
import { press, sendForm } from '@/lib/admin/form-call'
import { methodsIn, pictureIn, shownIn, textFields, textsIn } from '@/lib/admin/look-form'
import { previewPortal } from '@/lib/admin/sign-in-preview'
import { removePortalPicture, replacePortalPicture } from '@/lib/api/settings/branding'
import { changeSettings } from '@/lib/api/settings/routes'
import { LINKS } from '@/lib/base/branding'
import { type FormState, shownFirst } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'

const PAGE = '/admin/settings/branding'

const FIELDS = {
  name: 'name',
  'accent/light': 'light',
  'accent/dark': 'dark',
  methods: 'methods',
  ...textFields('signInTitle'),
  ...textFields('signInText'),
  ...Object.fromEntries(LINKS.map((link) => [`links/${link}`, link])),
}

function brandingIn(form: FormData) {
  const own = textOf(form, 'ownColours') === 'yes'
  const linkIn = (name: (typeof LINKS)[number]) => textOf(form, name).trim() || null
  return {
    name: textOf(form, 'name'),
    accent: own ? { light: textOf(form, 'light'), dark: textOf(form, 'dark') } : null,
    signInTitle: textsIn(form, 'signInTitle'),
    signInText: textsIn(form, 'signInText'),
    links: { privacy: linkIn('privacy'), terms: linkIn('terms'), help: linkIn('help') },
    methods: methodsIn(form),
    drawing: textOf(form, 'drawing') === 'yes',
  }
}

export async function saveBranding(_before: FormState, form: FormData): Promise<FormState> {
  if (textOf(form, 'answer') === 'preview') return previewBranding(form)
  const input = { body: { branding: brandingIn(form) }, version: textOf(form, 'version') }
  const fields = Object.entries(FIELDS).map(([member, field]) => [`branding/${member}`, field])
  const saved = await sendForm(form, changeSettings, input, 'portal', Object.fromEntries(fields))
  return saved.refused ?? redirect(`${PAGE}?done=settingsSaved`)
}

export async function previewBranding(form: FormData): Promise<FormState<{ address: string }>> {
  const body = { ...brandingIn(form), ...shownIn(form) }
  const sent = await sendForm(form, previewPortal, { body }, 'portal', FIELDS)
  return sent.refused ? sent.refused : shownFirst(form, sent.body)
}

export async function uploadPicture(_before: FormState, form: FormData): Promise<FormState> {
  const uploaded = await pictureIn(form)
  if (uploaded.refused) return uploaded.refused
  const params = { place: textOf(form, 'place') }
  const { picture, field } = uploaded
  const input = { params, body: { picture }, version: textOf(form, 'version') }
  const saved = await sendForm(form, replacePortalPicture, input, null, { picture: field })
  return saved.refused ?? redirect(`${PAGE}?done=pictureSaved`)
}

export async function removePicture(form: FormData): Promise<void> {
  const params = { place: textOf(form, 'place') }
  const input = { params, version: textOf(form, 'version') }
  return press(removePortalPicture, input, PAGE, 'pictureRemoved')
}
