import { type Answer, ask } from './ask'
import { aliceAtWeb } from './flow'
import { filledForm, formOf, OldBrowser } from './old-browser'
import type { Portal } from './portal'

/** What a browser asks for while somebody signs in or forgot their password, prepared while the database is there. */
export type OutagePages = Record<
  'page' | 'part' | 'form' | 'formWithScripts',
  () => Promise<Answer>
>

export async function pagesOf(portal: Portal): Promise<OutagePages> {
  const { origin, demo } = portal
  const browser = new OldBrowser(origin)
  const [alice] = demo().users
  const fields = { identifier: alice?.email ?? '', password: alice?.password ?? '' }
  const asked = await browser.submit(await browser.open('/login'), fields)
  const { inputs } = formOf(await browser.open('/forgot'))
  const id = /"id":"([0-9a-f]+)"/.exec(inputs.map(([, value]) => value).join())?.[1] ?? ''
  const headers = { accept: 'text/html', origin, cookie: browser.cookieHeader() }
  const send = async (
    url: string,
    form: FormData | URLSearchParams,
    more: Record<string, string> = {},
  ) => {
    const sent = new Response(form)
    const type = { 'content-type': sent.headers.get('content-type') ?? '' }
    const body = Buffer.from(await sent.arrayBuffer())
    const path = url.slice(origin.length)
    return ask(origin, { method: 'POST', path, headers: { ...headers, ...type, ...more }, body })
  }
  const signedIn = await aliceAtWeb(portal)
  const session = { ...headers, cookie: signedIn.cookieHeader() }
  const { action, body } = filledForm(asked, fields)
  return {
    page: () => ask(origin, { path: '/account', headers: session }),
    part: () => ask(origin, { path: '/account', headers: { ...session, rsc: '1' } }),
    form: () => send(action, body),
    formWithScripts: () => send(`${origin}/forgot`, calling(fields), { 'next-action': id }),
  }
}

/** As scripts of Next.js call an action: the state before, and the form. */
function calling({ identifier }: { identifier: string }): FormData {
  const form = new FormData()
  form.append('_1_identifier', identifier)
  form.append('0', '[{},"$K1"]')
  return form
}
