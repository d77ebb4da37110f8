/**
 * A browser from before scripts: it keeps cookies, follows redirects within the portal, fills in
 * forms and sends them. What it can do, everybody can.
 */

import { type FormFields, type InProcess, origins, type SentRequest, send } from './send'

const MAX_HOPS = 10

export type Page = { url: string; status: number; headers: Headers; html: string }

export class OldBrowser {
  readonly origin: string
  readonly cookies = new Map<string, string>()

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }
  /** The status of every redirect that was met. */
  readonly redirects: number[] = []

  constructor(origin: string) {
    this.origin = origin
  }

  /** Ends at a page of the portal, or at the address outside it that the portal sends to. */
  async open(url: string, init: RequestInit = {}): Promise<Page> {
    let next = new URL(url, this.origin)
    let request = init
    const portal = origins.get(this.origin)
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      if (portal?.isPage(next.pathname)) return pageAt(next)
      const response = await this.#fetch(next, request)
      const html = await response.text()
      const target = response.headers.get('location') ?? refreshTarget(html)
      if (target === null) {
        return { url: next.href, status: response.status, headers: response.headers, html }
      }
      next = new URL(target, next)
      request = {}
      if (next.origin !== this.origin) {
        return { url: next.href, status: response.status, headers: response.headers, html: '' }
      }
    }
    throw new Error('too many redirects')
  }

  /** One request, whose redirect is not followed. */
  async ask(path: string): Promise<{ status: number; location: string | null }> {
    const response = await this.#fetch(new URL(path, this.origin), {})
    await response.text()
    return { status: response.status, location: response.headers.get('location') }
  }

  /** Sends the page's form, with what it holds and what is typed; `button` is the one pressed. */
  submit(page: Page, typed: FormFields, button?: [string, string]): Promise<Page> {
    const portal = origins.get(this.origin)
    if (portal) {
      const [name, value] = button ?? []
      const all = name === undefined ? typed : { ...typed, [name]: value ?? '' }
      return this.#submit(portal, page, all)
    }
    const { method } = formOf(page)
    const { action, body } = filledForm(page, typed)
    if (button) body.append(...button)
    if (method === 'get') return this.open(`${action}?${body as URLSearchParams}`)
    return this.open(action, { method: 'POST', body })
  }

  /** First who, then the password. */
  async signIn(
    page: Page,
    { email, password }: { email: string; password: string },
  ): Promise<Page> {
    const portal = origins.get(this.origin)
    if (portal) {
      const returnTo = new URL(page.url).searchParams.get('returnTo') ?? '/account'
      const login = { email, password }
      const sent = await portal.signIn(this.#asBrowser(), login, returnTo)
      return sent ? this.#follow(page, sent) : page
    }
    const form = passwordForms.get(page.url)
    if (form) return this.submit(form, { identifier: email, password })
    const asked = await this.submit(page, { identifier: email })
    if (formOf(asked).asksPassword) passwordForms.set(page.url, asked)
    return this.submit(asked, { identifier: email, password })
  }

  /** Out of the active account. */
  async signOut(): Promise<void> {
    await this.submit(await this.open('/logout'), { reach: 'here' })
  }

  /** At a portal in this process, which has no pages: what the form would do. */
  async #submit(portal: InProcess, page: Page, typed: FormFields): Promise<Page> {
    return this.#follow(page, await portal.submit(this.#asBrowser(), new URL(page.url), typed))
  }

  #follow(page: Page, sent: SentRequest): Page | Promise<Page> {
    if ('problem' in sent) return { ...page, html: sent.problem }
    for (const line of sent.cookies ?? []) this.#keep(line)
    return this.open(sent.goTo)
  }

  #asBrowser() {
    return { headers: new Headers({ cookie: this.cookieHeader() }), userAgent: 'a test' }
  }

  async #fetch(url: URL, init: RequestInit): Promise<Response> {
    const cookie = this.cookieHeader()
    const headers = {
      cookie,
      'accept-language': 'en',
      ...(init.method === 'POST' && { origin: this.origin, 'sec-fetch-site': 'same-origin' }),
    }
    const response = await send(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    if (response.headers.has('location')) this.redirects.push(response.status)
    return response
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';')
    const equals = pair.indexOf('=')
    const name = pair.slice(0, equals)
    const gone = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))
    if (gone) this.cookies.delete(name)
    else this.cookies.set(name, pair.slice(equals + 1))
  }
}

/** By the address of the sign-in page: what asks for the password is the same for every name. */
const passwordForms = new Map<string, Page>()

/** A page of a portal in this process is never drawn: its text is the problem of its form, if any. */
function pageAt(url: URL): Page {
  return { url: url.href, status: 200, headers: new Headers(), html: '' }
}

function refreshTarget(html: string): string | null {
  const target = /http-equiv="refresh" content="0;url=([^"]+)"/i.exec(html)?.[1]
  return target === undefined ? null : decodeEntities(target)
}

/** The form of <main>, else the first one; what is hidden in it goes along. */
export function formOf({ html, url }: Page) {
  const form =
    /<main[\s\S]*?(<form[\s\S]*?<\/form>)/.exec(html)?.[1] ??
    /<form[\s\S]*?<\/form>/.exec(html)?.[0] ??
    ''
  const tag = /<form[^>]*>/.exec(form)?.[0] ?? ''
  const inputs = [...form.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)].map(
    ([input]): [string, string] => [attribute(input, 'name'), attribute(input, 'value')],
  )
  return {
    action: new URL(attribute(tag, 'action'), url).href,
    method: attribute(tag, 'method').toLowerCase(),
    multipart: /multipart/i.test(attribute(tag, 'enctype') || attribute(tag, 'encType')),
    asksPassword: /type="password"/.test(form),
    inputs,
  }
}

/** The form of a page as a browser sends it, with what is typed. */
export function filledForm(page: Page, typed: FormFields = {}) {
  const { action, multipart, inputs } = formOf(page)
  const body = multipart ? new FormData() : new URLSearchParams()
  for (const [name, value] of inputs) body.append(name, value)
  for (const [name, values] of Object.entries(typed)) {
    for (const value of [values].flat()) body.append(name, value)
  }
  return { action, body }
}

/** The page as if this were its only form: the one with that text in it. */
export function formWith(page: Page, text: string): Page {
  const forms = page.html.match(/<form[\s\S]*?<\/form>/g) ?? []
  const html = forms.find((form) => form.includes(text))
  if (html === undefined) throw new Error(`no form says ${text}`)
  return { ...page, html }
}

export function checkboxes(html: string): string[] {
  return [...html.matchAll(/<input\b[^>]*type="checkbox"[^>]*>/g)].map(([tag]) =>
    attribute(tag, 'value'),
  )
}

function attribute(tag: string, name: string): string {
  return decodeEntities(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
}

export function decodeEntities(text: string): string {
  const entities: Record<string, string> = {
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    '#39': "'",
    '#x27': "'",
  }
  return text.replaceAll(
    /&(amp|lt|gt|quot|#39|#x27);/g,
    (_all, name: string) => entities[name] ?? '',
  )
}
