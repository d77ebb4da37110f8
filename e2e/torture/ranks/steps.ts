import { PORTAL_SCOPE_NAMES } from '../../../lib/access/portal-api'
import { authorizeUrl, pkcePair } from '../../support/flow'
import { OldBrowser, type Page } from '../../support/old-browser'
import { linkIn } from '../../support/smtp'
import { type Hands, proofOf } from './hands'
import { NotThere } from './names'
import { enterByLink } from './principals'
import { askForToken, bearer } from './wire'

/** What an attacker does outside the API: at the pages, with letters, and with the owner's browser. */

const LETTER_MS = 4_000
const LOOK_MS = 50

export async function openLink(hands: Hands, name: string, serial: number): Promise<string> {
  const { stage, links, sessions } = hands
  const link = links.find((one) => one.name === name)
  if (!link) throw new NotThere(name)
  const { json } = await stage.root('GET', `/users/${link.user}`)
  if (!json?.email) return 'nobody is there any more'
  const cookie = await enterByLink(stage, link.url, json.email)
  if (cookie === null) return 'refused'
  sessions.push({ name: `#${serial}`, user: link.user, cookie })
  return 'signed in'
}

export async function forgot(hands: Hands, name: string, serial: number): Promise<string> {
  const { stage, world, links } = hands
  const user = world.names.fill(name)
  const { json } = await stage.root('GET', `/users/${user}`)
  if (!json?.email) return 'nobody is there any more'
  const browser = new OldBrowser(stage.origin)
  await browser.submit(await browser.open('/forgot'), { identifier: json.email })
  const link = await letterTo(hands, json.email)
  if (link === null) return 'no letter'
  links.push({ name: `#${serial}`, user, url: link })
  return openLink(hands, `#${serial}`, serial)
}

/** Letters come by where the portal's mail server is the attacker's. */
async function letterTo({ stage }: Hands, email: string): Promise<string | null> {
  const { mail } = stage.evil
  const { json } = await stage.root('GET', '/settings')
  const until = json?.mail?.server === mail.url ? Date.now() + LETTER_MS : 0
  const find = () => mail.received.findLast(({ to }) => to.includes(email))
  while (!find() && Date.now() < until) await new Promise((go) => setTimeout(go, LOOK_MS))
  const letter = find()
  return letter ? linkIn(letter) : null
}

/** The owner follows a link to an application, and what it asks for comes to the attacker. */
export async function lure(
  hands: Hands,
  name: string,
  clientName: string | null,
  serial: number,
): Promise<string> {
  const { stage, world, clients, userTokens } = hands
  const application = world.names.fill(name)
  const redirect_uri = world.names.fill('<evil/callback>')
  const { verifier, challenge } = pkcePair()
  const last = await agreed(hands, {
    ...{ client_id: application, redirect_uri, response_type: 'code' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  })
  const code = new URL(last.url).searchParams.get('code')
  if (code === null) return `no code: ${last.status}`
  const client = clients.find((one) => one.name === clientName)
  const proof = client ? await proofOf(hands, client) : { client_id: application }
  const grant = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
  const { status, json } = await askForToken(stage.origin, { ...grant, ...proof })
  if (status !== 200) return `no token: ${json?.error}`
  const scopes = json.scope.split(' ').filter((scope: string) => scope.includes(':'))
  userTokens.push({ name: `#${serial}`, application, scopes, headers: bearer(json.access_token) })
  return `a token of the owner: ${scopes.join(' ')}`
}

async function agreed({ stage, world }: Hands, asked: Record<string, string>): Promise<Page> {
  const scopes = [...PORTAL_SCOPE_NAMES, ...world.items.map(({ key }) => key)]
  const scope = ['openid', ...scopes].join(' ')
  const page = await stage.victim.open(authorizeUrl({ ...asked, scope }))
  return page.url.includes('/consent') ? stage.victim.submit(page, { scope: scopes }) : page
}
