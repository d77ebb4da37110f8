import { z } from 'zod'
import type { PicturePlace } from '../../base/branding'
import { isColour, isReadable, MIN_CONTRAST, type Theme } from '../../base/contrast'
import type { EventName } from '../../base/events'
import { methodsInOrder, shownMethods } from '../../base/sign-in-methods'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op, Transaction } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { errorMessage, rule } from '../../i18n/error-message'
import { possibleMethods } from '../../settings/possible-methods'
import type { ReadVersion } from '../../store/applications/applications'
import {
  addPicture,
  type Branding,
  findBranding,
  removeLogo,
  removePicture,
  replaceLogo,
  saveBranding,
} from '../../store/applications/branding'
import { type ChangeEntry, change, changeSeen } from '../authority/change'
import { operation, tagged } from '../http/operation'
import { invalidField, notFound } from '../http/problem'
import { requireSeen, requireWritten } from '../http/version'
import { brandTextSchema } from '../settings/brand-text'
import { drawnFor, methodsSchema, ONE_PIXEL, placeOf, uploadSchema } from '../settings/pictures'
import { requireApplication } from './applications'

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

export const applicationBrandingPatch = {
  accent: accentSchema('light'),
  accentDark: accentSchema('dark'),
  signInText: brandTextSchema.describe(
    'One line of the application on the sign-in page, by language; plain text',
  ),
  consentText: brandTextSchema.describe('The same on the consent page'),
  methods: methodsSchema
    .nullable()
    .describe('The ways to sign in that its sign-in page offers; null for those of the portal'),
}

const textsSchema = z.record(z.string(), z.string())

const brandingSchema = z.object({
  accent: z.string().nullable(),
  accentDark: z.string().nullable(),
  signInText: textsSchema,
  consentText: textsSchema,
  logoLight: z.string().nullable().describe('URL of the uploaded logo; null if there is none'),
  logoDark: z.string().nullable(),
  methods: methodsSchema.nullable(),
  picture: z.string().nullable().describe('URL of the picture beside the sign-in'),
})
export type BrandingWire = z.infer<typeof brandingSchema>

function toWire(op: Op, { logos, picture, methods, ...rest }: Branding): BrandingWire {
  const addressOf = (id: string | null) => id && `${op.origin}/logo/${id}`
  return {
    ...rest,
    methods: methods && { order: methodsInOrder(methods.order), hidden: [...methods.hidden] },
    logoLight: addressOf(logos.light),
    logoDark: addressOf(logos.dark),
    picture: addressOf(picture),
  }
}

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
  body: z.strictObject(applicationBrandingPatch).partial(),
  example: { accent: '#12604f', signInText: { en: 'Welcome to the shop.' } },
  answers: { 200: brandingSchema },
  async handle(op, call) {
    const application = await requireApplication(op, call.caller, call.params.id)
    await requireMethod(op, call.body.methods)
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

async function requireMethod(
  op: Op,
  methods: z.infer<typeof methodsSchema> | null | undefined,
): Promise<void> {
  if (!methods) return
  const possible = possibleMethods(await op.settings.current(), op.config)
  if (shownMethods(methods, possible).length > 0) return
  throw invalidField('/methods/hidden', errorMessage('methods_none'))
}

export const replaceApplicationLogo = operation({
  id: 'replaceApplicationLogo',
  method: 'PUT',
  path: '/applications/{id}/branding/logos/{place}',
  summary: 'Upload the logo for light or dark pages, or the picture; it is converted to WebP',
  scope: 'applications:write',
  versioned: false,
  body: uploadSchema,
  example: { picture: ONE_PIXEL },
  answers: { 200: brandingSchema },
  async handle(op, call) {
    const application = await requireApplication(op, call.caller, call.params.id)
    const { id } = application
    const place = placeOf(call.params.place)
    const webp = await drawnFor(place, call.body.picture)
    const logo = { id: newId('lgo'), applicationId: id, webp }
    await change(op, call, logoChange('application.logo_changed', id, place), async (tx) => {
      if (place !== 'picture') return replaceLogo(tx, { ...logo, theme: place }, op.now())
      await removePicture(tx, { applicationId: id })
      await addPicture(tx, logo, op.now())
      await namePicture(op, tx, application, logo.id)
    })
    const branding = await op.read((db) => findBranding(db, id))
    return { status: 200, body: toWire(op, branding) }
  },
})

export const removeApplicationLogo = operation({
  id: 'removeApplicationLogo',
  method: 'DELETE',
  path: '/applications/{id}/branding/logos/{place}',
  summary: 'Remove an uploaded logo or the picture',
  scope: 'applications:write',
  versioned: false,
  answers: { 204: null },
  async handle(op, call) {
    const application = await requireApplication(op, call.caller, call.params.id)
    const { id } = application
    const place = placeOf(call.params.place)
    await change(op, call, logoChange('application.logo_removed', id, place), async (tx) => {
      const isPicture = place === 'picture'
      const removed = isPicture
        ? await removePicture(tx, { applicationId: id })
        : await removeLogo(tx, id, place)
      if (removed === 0) throw notFound('no_logo', place)
      if (isPicture) await namePicture(op, tx, application, null)
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

/** Beside the colours and texts, so that no page asks for it apart. */
async function namePicture(
  op: Op,
  tx: Transaction,
  application: ReadVersion,
  picture: string | null,
): Promise<void> {
  const branding = { ...(await findBranding(tx, application.id)), picture }
  requireWritten(await saveBranding(tx, application, branding, op.now()))
}

function logoChange(event: EventName, id: string, place: PicturePlace): ChangeEntry {
  return {
    event,
    gives: [],
    kind: 'application',
    id,
    applicationId: id,
    detail: { theme: place },
  }
}
