import { z } from 'zod'
import { drawPicture } from '../../accounts/draw-picture'
import { PICTURES, type PicturePlace } from '../../base/branding'
import { SIGN_IN_METHODS } from '../../base/sign-in-methods'
import { errorMessage } from '../../i18n/error-message'
import { invalidField, notFound } from '../http/problem'

/** What the look of the portal and that of an application have in common. */

const methods = z.array(z.enum(SIGN_IN_METHODS)).max(SIGN_IN_METHODS.length)

export const methodsSchema = z.strictObject({
  order: methods.describe('Methods that are left out follow the others'),
  hidden: methods,
})

/** As base64. The portal stores a newly drawn picture, never the uploaded bytes (attack N18). */
const MAX_PICTURE_LENGTH = 1_500_000

export const uploadSchema = z.strictObject({
  picture: z.base64().max(MAX_PICTURE_LENGTH).describe('A PNG, JPEG, WebP or GIF, as base64'),
})

/** The shortest complete PNG. */
export const ONE_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export function placeOf(word: string): PicturePlace {
  const place = PICTURES.find((one) => one === word)
  if (!place) throw notFound('no_logo', word)
  return place
}

export async function drawnFor(
  place: PicturePlace,
  upload: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const sent = Buffer.from(upload, 'base64')
  const drawn = await drawPicture(sent, place === 'picture' ? 'scene' : 'logo')
  if (!drawn.ok) throw invalidField('/picture', errorMessage(drawn.problem))
  return drawn.webp
}
