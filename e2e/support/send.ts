/** Sends requests to portals: to those of this process by a call, to all others over HTTP. */

export type Browser = { headers: Headers; userAgent: string }
/** The fields of a form, and the button that was pressed. */
export type FormFields = Record<string, string | string[]>
/** Where a form that was sent leads, or why it was refused. */
export type SentRequest =
  | { goTo: string; cookies?: string[] }
  | { problem: string; retryAfterSeconds?: number }

/** A portal in the process of the test; see in-process.ts. */
export type InProcess = {
  respond(request: Request): Promise<Response>
  isPage(path: string): boolean
  /** Null for a wrong password. */
  signIn(
    browser: Browser,
    login: { email: string; password: string },
    returnTo: string,
  ): Promise<SentRequest | null>
  submit(browser: Browser, page: URL, typed: FormFields): Promise<SentRequest>
}

/** By origin. */
export const origins = new Map<string, InProcess>()

/** `fetch` for a client library that takes one. */
export const send: typeof fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input)
  const portal = origins.get(new URL(url).origin)
  if (!portal) return fetch(input, init)
  return portal.respond(requestTo(url, input instanceof Request ? input : init))
}

type ClientRequest = Omit<RequestInit, 'body'> & { body?: BodyInit | Uint8Array | null | undefined }

/** The same for openid-client and oauth4webapi, which say `undefined` where there is no body. */
export function clientFetch(url: string, { body, ...init }: ClientRequest): Promise<Response> {
  // Types know two kinds of Uint8Array, fetch takes both.
  return send(url, body === undefined ? init : { ...init, body: body as BodyInit })
}

/** HTTP/1.1 sends the host with every request. */
function requestTo(url: string, init: RequestInit = {}): Request {
  const request = new Request(url, init)
  if (!request.headers.has('host')) request.headers.set('host', new URL(url).host)
  return request
}
