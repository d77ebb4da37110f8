import { type Answer, type Fields, FORM } from '../../support/ask'
import { filledForm, type OldBrowser, type Page } from '../../support/old-browser'
import type { Pair } from '../arena'
import type { Shot } from './volley'

/** Requests to race with: half of them to each process, each from a network of its own, or as it says. */

type Aimless = Omit<Shot, 'port'>

export function spread(pair: Pair, count: number, make: (at: number) => Aimless): Shot[] {
  const block = Math.floor(Math.random() * 250)
  return Array.from({ length: count }, (_, at) => {
    const { headers, ...shot } = make(at)
    const from = { host: new URL(pair.front.origin).host, 'x-forwarded-for': addressIn(block, at) }
    return { ...shot, port: pair.ports[at % 2 === 0 ? 0 : 1], headers: { ...from, ...headers } }
  })
}

/** Addresses that share their first three numbers count as one network: see `neighbourhoodOf`. */
function addressIn(block: number, at: number): string {
  return `10.${block}.${at % 256}.1`
}

export function tokenShot(fields: Fields, headers: Fields = {}): Aimless {
  const body = Buffer.from(`${new URLSearchParams(fields)}`)
  return { path: '/oidc/token', headers: { ...FORM, ...headers }, body }
}

/** A page's form as a browser without script sends it. */
export async function formShot(browser: OldBrowser, page: Page, typed: Fields): Promise<Aimless> {
  const { action, body } = filledForm(page, typed)
  const sent = new Response(body)
  const { pathname, search } = new URL(action)
  return {
    path: pathname + search,
    headers: {
      cookie: browser.cookieHeader(),
      origin: browser.origin,
      'sec-fetch-site': 'same-origin',
      'accept-language': 'en',
      'content-type': sent.headers.get('content-type') ?? '',
    },
    body: Buffer.from(await sent.arrayBuffer()),
  }
}

/** `200`, `400 invalid_grant`: an answer of the token endpoint in two words. */
export function tokenWords({ status, body }: Answer): string {
  if (status === 200) return '200'
  const { error } = JSON.parse(body)
  return `${status} ${error}`
}

/**
 * `303 /reset/done`, `400 That code isn’t right`: where a page leads, or what it says. Plain Next.js
 * leads to the page that says it: `303 /login mismatch`.
 */
export function pageWords({ status, headers, body }: Answer): string {
  if (headers.location !== undefined) {
    const [path = '', query] = headers.location.split('?')
    const refusal = new URLSearchParams(query).get('refused')
    return [status, path, refusal].filter((word) => word !== null).join(' ')
  }
  const alert = /role="alert"[\s\S]*?<li>(?:<a[^>]*>)?([^<]+)/.exec(body)?.[1]
  const heading = /<h1[^>]*>([^<]+)/.exec(body)?.[1]
  return `${status} ${alert ?? heading ?? ''}`
}
