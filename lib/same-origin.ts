export type PostedFrom = { secFetchSite: string | null; origin: string | null }

/**
 * Was this POST sent by one of our own pages? `Sec-Fetch-Site` is asked first: under
 * `Referrer-Policy: no-referrer` browsers send `Origin: null` with a form, even to ourselves
 * (Fetch, "append a request Origin header").
 */
export function isSameOriginPost(from: PostedFrom, ownOrigin: string): boolean {
  if (from.secFetchSite !== null) return from.secFetchSite === 'same-origin'
  return from.origin === ownOrigin
}
