import { z } from 'zod'
import { drawPicture } from '../../accounts/draw-picture'
import { isColour, isReadable, MIN_CONTRAST, THEMES, type Theme } from '../../base/contrast'
import type { EventName } from '../../base/events'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { errorMessage, rule } from '../../i18n/error-message'
import {
  type Branding,
  findBranding,
  removeLogo,
  replaceLogo,
  saveBranding,
} from '../../store/applications/branding'
import { type ChangeEntry, change, changeSeen } from '../authority/change'
import { operation, tagged } from '../http/operation'
import { invalidField, notFound } from '../http/problem'
import { requireSeen } from '../http/version'
import { requireApplication } from './applications'
import { brandTextSchema } from './brand-text'

/** How an application looks on the sign-in and consent pages. No HTML and no CSS (attack N17). */

function accentSchema(theme: Theme) {
  return z
    .string()
    .refine(isColour, rule('colour_needed'))
    .refine(
      (colour) => !isColour(colour) || isReadable(colour, theme),
      rule('contrast_low', { minimum: String(MIN_CONTRAST) }),
    )
    .nullable()
    .describe(`Colour of links and buttons on ${theme} pages; null for the portal’s own`)
}

const changeable = {
  accent: accentSchema('light'),
  accentDark: accentSchema('dark'),
  signInText: brandTextSchema.describe(
    'One line of the application on the sign-in page, by language; plain text',
  ),
  consentText: brandTextSchema.describe('The same on the consent page'),
}

const textsSchema = z.record(z.string(), z.string())

const brandingSchema = z.object({
  accent: z.string().nullable(),
  accentDark: z.string().nullable(),
  signInText: textsSchema,
  consentText: textsSchema,
  logoLight: z.string().nullable().describe('URL of the uploaded logo; null if there is none'),
  logoDark: z.string().nullable(),
})
export type BrandingWire = z.infer<typeof brandingSchema>

function toWire(op: Op, { logos, ...rest }: Branding): BrandingWire {
  const addressOf = (id: string | null) => id && `${op.origin}/logo/${id}`
  return { ...rest, logoLight: addressOf(logos.light), logoDark: addressOf(logos.dark) }
}

/** As base64. The portal stores a newly drawn picture, never the uploaded bytes (attack N18). */
const MAX_PICTURE_LENGTH = 1_500_000

/** The shortest complete PNG. */
const ONE_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const getApplicationBranding = operation({
  id: 'getApplicationBranding',
  method: 'GET',
  path: '/applications/{id}/branding',
  summary: 'Read how an application looks on the sign-in and consent pages',
  scope: 'applications:read',
  answers: { 200: brandingSchema },
  async handle(op, { caller, params }) {
    const { id, version } = await requireApplication(op, caller, params.id)
    const branding = await op.read((db) => findBranding(db, id))
    return { status: 200, body: toWire(op, branding), version }
  },
})

export const changeApplicationBranding = operation({
  id: 'changeApplicationBranding',
  method: 'PATCH',
  path: '/applications/{id}/branding',
  summary: 'Change the colours and texts of an application; unreadable colours are refused',
  scope: 'applications:write',
  body: z.strictObject(changeable).partial(),
  example: { accent: '#12604f', signInText: { en: 'Welcome to the shop.' } },
  answers: { 200: brandingSchema },
  async handle(op, call) {
    const application = await requireApplication(op, call.caller, call.params.id)
    const before = await op.read((db) => findBranding(db, application.id))
    requireSeen(call.ifMatch, application, toWire(op, before))
    const after = { ...before, ...withoutUndefined(call.body) }
    const entry: ChangeEntry = {
      event: 'application.branding_changed',
      gives: [],
      kind: 'application',
      id: application.id,
      applicationId: application.id,
      detail: { before: toWire(op, before), after: call.body },
    }
    await changeSeen(op, call, entry, (tx) => saveBranding(tx, application, after, op.now()))
    return { status: 200, body: toWire(op, after), version: application.version + 1 }
  },
})

export const replaceApplicationLogo = operation({
  id: 'replaceApplicationLogo',
  method: 'PUT',
  path: '/applications/{id}/branding/logos/{theme}',
  summary: 'Upload a logo for light or dark pages; it is converted to WebP',
  scope: 'applications:write',
  versioned: false,
  body: z.strictObject({
    picture: z.base64().max(MAX_PICTURE_LENGTH).describe('A PNG, JPEG, WebP or GIF, as base64'),
  }),
  example: { picture: ONE_PIXEL },
  answers: { 200: brandingSchema },
  async handle(op, call) {
    const { id } = await requireApplication(op, call.caller, call.params.id)
    const theme = themeOf(call.params.theme)
    const drawn = await drawPicture(Buffer.from(call.body.picture, 'base64'), 'logo')
    if (!drawn.ok) throw invalidField('/picture', errorMessage(drawn.problem))
    const logo = { id: newId('lgo'), applicationId: id, theme, webp: drawn.webp }
    await change(op, call, logoChange('application.logo_changed', id, theme), (tx) =>
      replaceLogo(tx, logo, op.now()),
    )
    const branding = await op.read((db) => findBranding(db, id))
    return { status: 200, body: toWire(op, branding) }
  },
})

export const removeApplicationLogo = operation({
  id: 'removeApplicationLogo',
  method: 'DELETE',
  path: '/applications/{id}/branding/logos/{theme}',
  summary: 'Remove an uploaded logo',
  scope: 'applications:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const { id } = await requireApplication(op, call.caller, call.params.id)
    const theme = themeOf(call.params.theme)
    await change(op, call, logoChange('application.logo_removed', id, theme), async (tx) => {
      if ((await removeLogo(tx, id, theme)) === 0) throw notFound('no_logo', theme)
    })
    return { status: 204 }
  },
})

export const applicationBrandingRoutes = tagged('Applications', [
  getApplicationBranding,
  changeApplicationBranding,
  replaceApplicationLogo,
  removeApplicationLogo,
])

function themeOf(word: string): Theme {
  const theme = THEMES.find((one) => one === word)
  if (!theme) throw notFound('no_logo', word)
  return theme
}

function logoChange(event: EventName, id: string, theme: Theme): ChangeEntry {
  return {
    event,
    gives: [],
    kind: 'application',
    id,
    applicationId: id,
    detail: { theme },
  }
}
