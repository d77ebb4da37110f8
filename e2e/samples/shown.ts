import { SECRET } from '../../lib/quick-start/guide'
import { decodeEntities, OldBrowser, type Page } from '../support/old-browser'
import type { Portal } from '../support/portal'
import { addTo, type RegisteredClient } from './registered'

/** A sample as an admin sees it on the page, and what that page says to do first. */

export type SampleInstructions = {
  install: string
  files: { name: string; text: string }[]
  settings: string
  run: string
  open: string | null
}

export async function adminBrowser(portal: Portal): Promise<OldBrowser> {
  const browser = new OldBrowser(portal.origin)
  await browser.signIn(await browser.open('/login'), portal.demo().admin)
  return browser
}

/** Does what the page asks for: a redirect URI, an origin. */
export async function showApplication(
  portal: Portal,
  admin: OldBrowser,
  app: RegisteredClient,
  id: string,
): Promise<SampleInstructions> {
  const address = `/admin/applications/${app.id}/quick-start?with=${id}`
  const { html } = await opened(admin, address)
  const uri = /add (\S+) to the redirect URIs/.exec(html)?.[1]
  if (uri) await addTo(portal, app.id, 'redirectUris', uri)
  const origin = /add (\S+) to the browser origins/.exec(html)?.[1]
  if (origin) await addTo(portal, app.id, 'origins', origin)
  const shown = readSample(await opened(admin, address))
  return { ...shown, settings: shown.settings.replace(SECRET, app.secret) }
}

export async function showApi(
  admin: OldBrowser,
  api: string,
  id: string,
): Promise<SampleInstructions> {
  return readSample(await opened(admin, `/admin/apis/${api}/quick-start?with=${id}`))
}

async function opened(admin: OldBrowser, address: string): Promise<Page> {
  const page = await admin.open(address)
  if (page.status !== 200) throw new Error(`${address} answers ${page.status}`)
  return page
}

const PANEL = /<pre id="([\w-]+)"[^>]*aria-label="([^"]*)"[^>]*><code>([\s\S]*?)<\/code>/g

function readSample({ html }: Page): SampleInstructions {
  const panels = [...html.matchAll(PANEL)].map(([, id = '', label = '', text = '']) => ({
    id,
    name: decodeEntities(label).replace(/^File /, ''),
    text: decodeEntities(text),
  }))
  const textOf = (id: string) => panels.find((panel) => panel.id === id)?.text ?? ''
  return {
    install: textOf('install'),
    files: panels.filter(({ id }) => id.startsWith('file-')),
    settings: textOf('settings'),
    run: textOf('run'),
    open: /id="open"[^>]*>[^<]*?(https?:[^\s<]+)/.exec(html)?.[1] ?? null,
  }
}
