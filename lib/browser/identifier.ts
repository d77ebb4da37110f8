import type { SearchParams } from './page-props'

/** The user name or address that somebody typed at sign-in, on its way from page to page. */

const MAX_IDENTIFIER_LENGTH = 254

/** Empty if the address of the page has none, or one that is too long. */
export function identifierIn({ identifier }: SearchParams): string {
  return shortText(identifier)?.trim() ?? ''
}

export function shortText(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value.length <= MAX_IDENTIFIER_LENGTH ? value : undefined
}

/** A page of the sign-in for the same person, who is going to the same place. */
export function withIdentifier(
  path: string,
  { identifier, returnTo }: { identifier: string; returnTo: string },
): string {
  const known = {
    ...(identifier !== '' && { identifier }),
    ...(returnTo !== '/' && { returnTo }),
  }
  return Object.keys(known).length === 0 ? path : `${path}?${new URLSearchParams(known)}`
}
