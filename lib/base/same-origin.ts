type PostedFrom = { secFetchSite: string | null; origin: string | null }

/**
 * Was this POST sent by a page of the portal? `Sec-Fetch-Site` is checked first: under
 * `Referrer-Policy: no-referrer` browsers send `Origin: null` with a form, even to the same origin
 * (Fetch, "append a request Origin header").
 */
export function isSameOriginPost(from: PostedFrom, ownOrigin: string): boolean {
  if (from.secFetchSite !== null) return from.secFetchSite === 'same-origin'
  return from.origin === ownOrigin
}

type Sent = { method: string; headers: { get(name: string): string | null } }

/** RFC 9110 §9.2.1; the portal does not answer TRACE. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export function isSafe(method: string): boolean {
  return SAFE_METHODS.has(method)
}

/**
 * Would this request change something although no page of the portal is known to have sent it? A
 * server action can be sent to any path, so every path is checked except those for other sites. A
 * request with neither header is refused: every browser that can run the pages sends one of them.
 */
export function isForeignChange({ method, headers }: Sent, ownOrigins: readonly string[]): boolean {
  if (isSafe(method)) return false
  const from = { secFetchSite: headers.get('sec-fetch-site'), origin: headers.get('origin') }
  if (namesAnother(from.origin, ownOrigins)) return true
  return !ownOrigins.some((own) => isSameOriginPost(from, own))
}

function namesAnother(origin: string | null, ownOrigins: readonly string[]): boolean {
  return origin !== null && origin !== 'null' && !ownOrigins.includes(origin)
}
