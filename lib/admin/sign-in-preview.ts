import { z } from 'zod'
import { requireApplication } from '../api/applications/applications'
import { applicationBrandingPatch } from '../api/applications/branding'
import { authorize } from '../api/authority/authorize'
import { operation } from '../api/http/operation'
import { brandingPatch } from '../api/settings/branding'
import { THEMES } from '../base/contrast'
import { withoutUndefined } from '../base/without-undefined'
import { type Preview, previewAddress } from '../browser/preview'
import type { Op } from '../context/op'
import { locales } from '../i18n'
import type { Locale } from '../i18n/locales'
import { pickText, type WrittenTexts } from '../i18n/pick-text'
import { op } from '../op'
import { findBranding } from '../store/applications/branding'

/**
 * What is about to be saved, on the sign-in page. It is checked as a change is, by the scope of a
 * change (attack N8). These are no calls of the API: their answer is for one browser.
 */

const shown = { locale: z.enum(locales), theme: z.enum(THEMES) }
const answers = { 200: z.object({ address: z.string() }) }

export const previewPortal = operation({
  id: 'previewPortal',
  method: 'POST',
  path: '/settings/branding:preview',
  summary: 'Look at the sign-in page before a change',
  scope: 'settings:write',
  body: z.strictObject({ ...z.strictObject(brandingPatch).partial().shape, ...shown }),
  example: { locale: 'en', theme: 'light' },
  answers,
  async handle(op, call) {
    await authorize(op, call, [])
    const { locale, theme, ...patch } = call.body
    const saved = (await op.settings.current()).branding
    const branding = { ...saved, ...withoutUndefined(patch) }
    const address = addressFor(op, call.caller.session, {
      locale,
      theme,
      branding,
      application: null,
    })
    return { status: 200, body: { address } }
  },
})

export const previewApplication = operation({
  id: 'previewApplication',
  method: 'POST',
  path: '/applications/{id}/branding:preview',
  summary: 'Look at the sign-in page of an application before a change',
  scope: 'applications:write',
  body: z.strictObject({ ...z.strictObject(applicationBrandingPatch).partial().shape, ...shown }),
  example: { locale: 'en', theme: 'light' },
  answers,
  async handle(op, call) {
    const { id, name } = await requireApplication(op, call.caller, call.params.id)
    await authorize(op, call, [])
    const { locale, theme, ...patch } = call.body
    const saved = await op.read((db) => findBranding(db, id))
    const application = { id, name, branding: { ...saved, ...withoutUndefined(patch) } }
    const { branding } = await op.settings.current()
    const address = addressFor(op, call.caller.session, { locale, theme, branding, application })
    return { status: 200, body: { address } }
  },
})

/** The page as it is, for whoever may see what is saved. */
export async function savedPreview(
  session: { id: string },
  application?: { id: string; name: string },
): Promise<string> {
  const portal = await op()
  const { branding, languages } = await portal.settings.current()
  const look = application && {
    id: application.id,
    name: application.name,
    branding: await portal.read((db) => findBranding(db, application.id)),
  }
  return addressFor(portal, session, {
    locale: languages.default,
    theme: 'light',
    branding,
    application: look ?? null,
  })
}

/** An address is short: of the texts it has those that are shown. */
function addressFor(
  op: Op,
  session: { id: string } | undefined,
  { locale, theme, branding, application }: Preview,
): string {
  if (!session) throw new Error('a preview is for a browser that is signed in')
  const { default: other } = op.settings.known().languages
  const only = (texts: WrittenTexts) => textIn(texts, locale, other)
  const { signInTitle, signInText } = branding
  return previewAddress(op, session, {
    locale,
    theme,
    branding: { ...branding, signInTitle: only(signInTitle), signInText: only(signInText) },
    application: application && {
      ...application,
      branding: {
        ...application.branding,
        signInText: only(application.branding.signInText),
        consentText: {},
      },
    },
  })
}

function textIn(texts: WrittenTexts, locale: Locale, other: Locale): Record<string, string> {
  const text = pickText(texts, locale, other)
  return text === undefined ? {} : { [locale]: text }
}
