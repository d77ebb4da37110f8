import type { Op } from '../context/op'
import type { ApplicationFace } from '../oidc/stores'
import { op } from '../op'
import { findLogo } from '../store/applications/branding'
import { askUnderWay } from './open-interaction'
import type { Preview } from './preview'

/** How applications look on the sign-in and consent pages. */

export type Face = { name: string; logoUri: string | null; branding: ApplicationFace['branding'] }

/**
 * The application whose request led to a sign-in page; null if there is none, or if it belongs to
 * another browser.
 */
export async function faceBehind(returnTo: string): Promise<Face | null> {
  const ask = await askUnderWay(returnTo)
  if (!ask) return null
  const portal = await op()
  const { credentials } = await portal.snapshot({ clients: [ask.clientId] })
  const application = credentials.get(ask.clientId)?.application
  const face = application && (await portal.consents.face(application.id))
  if (!face) return null
  return { name: application.name, logoUri: face.logoUri, branding: face.branding }
}

/** The application of a preview, as it is about to be. */
export async function faceIn({ application }: Preview): Promise<Face | null> {
  if (!application) return null
  const { id, ...draft } = application
  const saved = await (await op()).consents.face(id)
  return { ...draft, logoUri: saved?.logoUri ?? null }
}

export function openLogo(portal: Op, id: string): Promise<Uint8Array<ArrayBuffer> | null> {
  return portal.read((db) => findLogo(db, id))
}
