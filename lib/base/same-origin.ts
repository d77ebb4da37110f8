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

type Sent = { method: string; headers: { get(name: string): string | null } }

/** RFC 9110 section 9.2.1; nothing here answers TRACE. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export function isSafe(method: string): boolean {
  return SAFE_METHODS.has(method)
}

/**
 * Would this request change something, although no page of ours is known to have sent it? An action
 * of a page can be sent to any path, so this is asked for every path that is not made for others.
 * Who says neither header gets nothing: no browser that can run our pages leaves both out.
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
