import { OldBrowser } from '../../support/old-browser'
import { linkIn } from '../../support/smtp'
import type { Hands } from './hands'
import type { Violation } from './model-facts'
import { NotThere } from './names'
import { enterByLink } from './principals'

/** What an attacker does outside the API: at the pages, and with letters. */

/** What came of it, and what it was more than allowed. */
export type Step = { outcome: string; done: boolean; violations?: Violation[] }

export const refused = (outcome: string): Step => ({ outcome, done: false })

const LETTER_MS = 4_000
const LOOK_MS = 50

export async function openLink(hands: Hands, name: string, serial: number): Promise<Step> {
  const { stage, links, sessions } = hands
  const link = links.find((one) => one.name === name)
  if (!link) throw new NotThere(name)
  const { json } = await stage.root('GET', `/users/${link.user}`)
  if (!json?.email) return refused('nobody is there any more')
  const browser = await enterByLink(stage, link.url, json.email)
  if (browser === null) return refused('refused')
  const cookie = browser.cookieHeader()
  sessions.push({ name: `#${serial}`, user: link.user, cookie, browser })
  return { outcome: 'signed in', done: true }
}

export async function forgot(hands: Hands, name: string, serial: number): Promise<Step> {
  const { stage, world, links } = hands
  const user = world.names.fill(name)
  const { json } = await stage.root('GET', `/users/${user}`)
  if (!json?.email) return refused('nobody is there any more')
  const browser = new OldBrowser(stage.origin)
  await browser.submit(await browser.open('/forgot'), { identifier: json.email })
  const link = await letterTo(hands, json.email)
  if (link === null) return refused('no letter')
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
