import { z } from 'zod'
import type { PicturePlace } from '../../base/branding'
import { shownMethods } from '../../base/sign-in-methods'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import { effective } from '../../settings/effective'
import { type Branding, brandingShape, DEFAULT_BRANDING } from '../../settings/model'
import { possibleMethods } from '../../settings/possible-methods'
import { hasOwnerWith } from '../../store/accounts/users'
import { addPicture, removePicture } from '../../store/applications/branding'
import { type Call, operation, tagged } from '../http/operation'
import { invalidField, notFound } from '../http/problem'
import { httpsSchema } from '../http/schemas'
import { brandTextSchema, brandTexts, MAX_TITLE_LENGTH } from './brand-text'
import { changeStored, type Representation, readSettings, type WrittenSettings } from './change'
import { drawnFor, methodsSchema, ONE_PIXEL, placeOf, uploadSchema } from './pictures'
import { settingsWire } from './wire'

/**
 * How the sign-in and consent pages of the portal look. Plain text and https links, no HTML and no
 * CSS (attack N17).
 */

const link = httpsSchema.max(2_048).nullable()
export const brandingPatch = {
  ...brandingShape,
  signInTitle: brandTexts(MAX_TITLE_LENGTH).describe(
    'Title of the sign-in page, by language; plain text',
  ),
  signInText: brandTextSchema.describe('The line below it, by language; plain text'),
  links: z
    .strictObject({ privacy: link, terms: link, help: link })
    .describe('At the foot of the pages; https only, null for none'),
  methods: methodsSchema.describe(
    'The ways to sign in that the sign-in page offers. An owner must be left who can use one',
  ),
  drawing: z.boolean().describe('The drawing of the gatehouse, where no picture was uploaded'),
}

/** What is hidden is not switched off, but nobody would find it. */
export async function requireWayIn(
  op: Op,
  methods: z.infer<typeof methodsSchema> | undefined,
): Promise<void> {
  if (!methods) return
  const { stored, secrets } = await readSettings(op)
  const settings = effective(op.config, stored, secrets, 0)
  const shown = shownMethods(methods, possibleMethods(settings, op.config))
  const refused = (code: 'methods_none' | 'methods_no_owner') =>
    invalidField('/branding/methods/hidden', errorMessage(code))
  if (shown.length === 0) throw refused('methods_none')
  const issuers = settings.providers.map(({ issuer }) => issuer)
  if (await op.read((db) => hasOwnerWith(db, shown, issuers))) return
  throw refused('methods_no_owner')
}

export const replacePortalPicture = operation({
  id: 'replacePortalPicture',
  method: 'PUT',
  path: '/settings/branding/logos/{place}',
  summary: 'Upload the logo for light or dark pages, or the picture; it is converted to WebP',
  scope: 'settings:write',
  body: uploadSchema,
  example: { picture: ONE_PIXEL },
  answers: { 200: settingsWire },
  async handle(op, call) {
    const place = placeOf(call.params.place)
    const webp = await drawnFor(place, call.body.picture)
    return changePicture(op, call, place, { id: newId('lgo'), webp })
  },
})

export const removePortalPicture = operation({
  id: 'removePortalPicture',
  method: 'DELETE',
  path: '/settings/branding/logos/{place}',
  summary: 'Remove a logo or the picture of the portal',
  scope: 'settings:write',
  answers: { 200: settingsWire },
  async handle(op, call) {
    return changePicture(op, call, placeOf(call.params.place), null)
  },
})

export const settingsBrandingRoutes = tagged('Settings', [
  replacePortalPicture,
  removePortalPicture,
])

type Uploaded = { id: string; webp: Uint8Array<ArrayBuffer> }

function changePicture(
  op: Op,
  call: Call,
  place: PicturePlace,
  uploaded: Uploaded | null,
): Promise<Representation> {
  const next = (before: WrittenSettings) => {
    if (!uploaded && picturesIn(before)[place] === null) throw notFound('no_logo', place)
    const pictures = { ...picturesIn(before), [place]: uploaded?.id ?? null }
    const { stored, secrets } = before
    const written = { stored: { ...stored, branding: { ...stored.branding, pictures } }, secrets }
    const detail = { picture: place, uploaded: uploaded !== null }
    return {
      written,
      entry: { event: 'settings.changed' as const, gives: [], id: 'portal', detail },
    }
  }
  return changeStored(op, call, next, async (tx, before) => {
    const replaced = picturesIn(before)[place]
    if (replaced !== null) await removePicture(tx, { id: replaced })
    if (uploaded) await addPicture(tx, { ...uploaded, applicationId: null }, op.now())
  })
}

function picturesIn({ stored }: WrittenSettings): Branding['pictures'] {
  return stored.branding.pictures ?? DEFAULT_BRANDING.pictures
}
