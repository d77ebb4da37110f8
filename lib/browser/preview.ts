import { headers } from 'next/headers'
import { cache } from 'react'
import type { Theme } from '../base/contrast'
import { PATH_HEADER, PREVIEW_PATH } from '../base/page-headers'
import type { Op } from '../context/op'
import { SealError, seal, unseal } from '../crypto/seal'
import type { Locale } from '../i18n'
import type { ApplicationFace } from '../oidc/stores'
import { op } from '../op'
import type { Branding } from '../settings/model'
import type { Session } from '../store/accounts/sessions'

/**
 * The sign-in page with what an admin is about to save. It is in the address, which only the portal
 * can write: encrypted, and for the session of the admin alone.
 */

export type Preview = {
  locale: Locale
  theme: Theme
  branding: Branding
  /** Without the logo that it registered, which may be too long for an address. */
  application: { id: string; name: string; branding: ApplicationFace['branding'] } | null
}

type Whose = Pick<Session, 'id'>

function boundTo({ id }: Whose): string {
  return `preview ${id}`
}

export function previewAddress({ cookieKey }: Op, session: Whose, preview: Preview): string {
  const draft = seal(cookieKey, boundTo(session), JSON.stringify(preview))
  return `${PREVIEW_PATH}?${new URLSearchParams({ draft })}`
}

/** Null on every other page, and for everybody else. */
export const currentPreview = cache(async (): Promise<Preview | null> => {
  const sent = await headers()
  const [path, query] = (sent.get(PATH_HEADER) ?? '').split('?')
  const draft = path === PREVIEW_PATH ? new URLSearchParams(query).get('draft') : null
  if (draft === null) return null
  const portal = await op()
  const session = await portal.sessionOf({ headers: sent })
  return session && opened(portal.cookieKey, boundTo(session), draft)
})

function opened(key: Buffer, bound: string, draft: string): Preview | null {
  try {
    const preview: Preview = JSON.parse(unseal(key, bound, draft))
    return preview
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}
