import { checkboxes, formOf } from '../e2e/support/old-browser'
import { type Answer, type Ask, get, type Send } from './load'
import type { Work } from './measure'
import { scriptsIn, type Weight, weighScripts } from './page-weight'
import { REDIRECT } from './seed'
import type { Contender, ShownRow } from './works'

/**
 * A whole first sign-in: from the address that an application sends somebody to, through the forms
 * of the pages, to the tokens. What a browser keeps, scripts and styles, is not asked for.
 */

export type Journey = {
  start: Ask
  /** What person `at` types, by the names of the fields; of a world that has so many. */
  typed(at: number): Record<string, string>
  exchange(code: string): Ask
}

/** `html`: bytes of all pages, and of what their actions answer. `scripts`: the paths of the files that they name. */
type Trip = { requests: number; html: number; scripts: ReadonlySet<string> }

const MOST_STEPS = 12

type Way = 'with scripts' | 'without scripts'

function row(id: string, way: Way): ShownRow {
  return {
    id,
    title: `a first sign-in with consent, in a browser ${way}`,
    work(of) {
      const { journey, verify } = of.dialect
      if (verify) return { side: of, visit: verify, prepare: nothings }
      return journey ? journeys(of, journey, way) : null
    },
    weigh: (of) => weighTrip(of, way),
    once: async (of) => () => takeTrip(of, way),
  }
}

export const SIGN_IN_ROWS = [
  row('sign-in', 'with scripts'),
  row('sign-in-without-scripts', 'without scripts'),
]

async function nothings(count: number): Promise<Ask[]> {
  return Array.from({ length: count }, () => get('/'))
}

/** Each is somebody else, who was never here. */
function journeys(of: Contender, journey: Journey, way: Way): Work {
  return {
    side: of,
    behind: true,
    prepare: async (count) => Array.from({ length: count }, () => journey.start),
    visit: async (send) => (await signIn(send, journey, nextPerson(journey), way)).tokens,
  }
}

async function weighTrip(of: Contender, way: Way): Promise<Weight> {
  const { requests, html, scripts, start } = await takeTrip(of, way)
  return { requests, html, ...(await weighScripts(of.line, scripts, start)) }
}

/** One alone. */
async function takeTrip({ line, dialect }: Contender, way: Way): Promise<Trip & { start: Ask }> {
  const { journey } = dialect
  if (!journey) throw new Error('nobody can sign in there')
  const trips: Trip[] = []
  await line.send([journey.start], async (send) => {
    const { tokens, trip } = await signIn(send, journey, nextPerson(journey), way)
    trips.push(trip)
    return tokens
  })
  const [trip] = trips
  if (!trip) throw new Error('nobody has signed in')
  return { ...trip, start: journey.start }
}

const persons = new WeakMap<Journey, number>()

function nextPerson(journey: Journey): number {
  const at = persons.get(journey) ?? 0
  persons.set(journey, at + 1)
  return at
}

async function signIn(
  send: Send,
  { start, typed, exchange }: Journey,
  person: number,
  way: Way,
): Promise<{ tokens: Answer; trip: Trip }> {
  const browser = new Browser(send, start.headers, way)
  await browser.open(start.path)
  for (let step = 0; browser.leftTo === null; step += 1) {
    if (step === MOST_STEPS) throw new Error(`no way out of ${browser.path}`)
    await browser.submit(typed(person))
  }
  const code = new URL(browser.leftTo).searchParams.get('code')
  if (code === null) throw new Error(`no code but ${browser.leftTo}`)
  const tokens = await send(exchange(code))
  if (!JSON.parse(tokens.body).id_token) throw new Error('nobody is signed in')
  const { requests, html, scripts } = browser
  return { tokens, trip: { requests: requests + 1, html, scripts } }
}

/** On pages of one server, until one of them leads to the application. */
class Browser {
  requests = 0
  html = 0
  readonly scripts = new Set<string>()
  path = ''
  leftTo: string | null = null
  readonly #cookies = new Map<string, string>()
  readonly #send: Send
  readonly #headers: Record<string, string>
  readonly #scripted: boolean
  #page = ''

  constructor(send: Send, headers: Record<string, string>, way: Way) {
    this.#send = send
    this.#headers = headers
    this.#scripted = way === 'with scripts'
  }

  async open(url: string): Promise<void> {
    if (url.startsWith(REDIRECT)) {
      this.leftTo = url
      return
    }
    const { pathname, search } = new URL(url, this.#url())
    this.path = `${pathname}${search}`
    await this.#follow(await this.#ask(get(this.path, this.#headers)))
  }

  async submit(typed: Record<string, string>): Promise<void> {
    const page = { url: this.#url(), status: 200, headers: new Headers(), html: this.#page }
    const { action, method, multipart, inputs } = formOf(page)
    const known = Object.entries(typed).filter(([name]) => this.#page.includes(`name="${name}"`))
    const ticked = checkboxes(this.#page).map((scope): [string, string] => ['scope', scope])
    const fields = [...inputs, ...known, ...ticked]
    if (method === 'get') return this.open(`${action}?${new URLSearchParams(fields)}`)
    const id = this.#scripted ? actionIn(inputs) : null
    if (id !== null) return this.#act(id, fields)
    const body = multipart ? multipartOf(fields) : new URLSearchParams(fields)
    await this.#follow(await this.#post(body))
  }

  /** As React calls an action of the server: the state before, and the form. */
  async #act(id: string, fields: Field[]): Promise<void> {
    const own = fields.filter(([name]) => !name.startsWith('$') && name !== 'scripted')
    const sent = [...own, ['scripted', 'yes'] as Field].map(([name, value]): Field => {
      return [`_1_${name}`, value]
    })
    const headers = { accept: 'text/x-component', 'next-action': id }
    const { body } = await this.#post(multipartOf([...sent, ['0', '[{},"$K1"]']]), headers)
    this.html += Buffer.byteLength(body)
    const goTo = /"goTo":("[^"]+")/.exec(body)?.[1]
    if (goTo === undefined) throw new Error(`${this.path}: the form was refused: ${body}`)
    await this.open(JSON.parse(goTo))
  }

  async #post(form: FormData | URLSearchParams, more: Record<string, string> = {}) {
    const sent = new Response(form)
    const type = sent.headers.get('content-type') ?? ''
    const body = await sent.text()
    const headers = { ...this.#headers, ...SAME_ORIGIN, origin: this.#origin(), ...more }
    const asked = { ...headers, 'content-type': type }
    return this.#ask({ method: 'POST', path: this.path, headers: asked, body })
  }

  async #ask(ask: Ask): Promise<Answer> {
    this.requests += 1
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.#send({ ...ask, headers: { ...ask.headers, cookie }, expect: 'any' })
    if (answer.status >= 400) throw new Error(`${ask.path}: ${answer.status} ${answer.body}`)
    for (const pair of answer.cookies.split('; ').filter(Boolean)) this.#keep(pair)
    return answer
  }

  #keep(pair: string): void {
    const equals = pair.indexOf('=')
    const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)]
    if (value === '') this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }

  async #follow({ location, body }: Answer): Promise<void> {
    const target = location || refreshTarget(body)
    if (!location) {
      this.#page = body
      this.html += Buffer.byteLength(body)
      for (const path of scriptsIn(body)) this.scripts.add(path)
    }
    if (target) await this.open(target)
  }

  #origin(): string {
    const { host } = this.#headers
    return host === undefined ? 'http://localhost' : `https://${host}`
  }

  #url(): string {
    return `${this.#origin()}${this.path}`
  }
}

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' }

type Field = [name: string, value: string]

function multipartOf(fields: readonly Field[]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

/** Null: the form is an ordinary one. */
function actionIn(inputs: readonly Field[]): string | null {
  const texts = inputs.flatMap(([name, value]) => (name.startsWith('$ACTION_') ? value : []))
  return /"id":"([0-9a-f]+)"/.exec(texts.join())?.[1] ?? null
}

function refreshTarget(html: string): string {
  const target = /http-equiv="refresh" content="0;url=([^"]+)"/i.exec(html)?.[1] ?? ''
  return target.replaceAll('&amp;', '&')
}
