import { type Answer, ask } from './ask'
import { aliceAtWeb } from './flow'
import { formOf, OldBrowser } from './old-browser'
import type { Portal } from './portal'

/** What a browser asks for while somebody signs in, prepared while the database is there. */
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
  const { action, inputs } = formOf(asked)
  const id = /"id":"([0-9a-f]+)"/.exec(inputs.map(([, value]) => value).join())?.[1] ?? ''
  const headers = { accept: 'text/html', origin, cookie: browser.cookieHeader() }
  const path = action.slice(origin.length)
  const send = async (form: FormData, more: Record<string, string> = {}) => {
    const sent = new Response(form)
    const type = { 'content-type': sent.headers.get('content-type') ?? '' }
    const body = Buffer.from(await sent.arrayBuffer())
    return ask(origin, { method: 'POST', path, headers: { ...headers, ...type, ...more }, body })
  }
  const signedIn = await aliceAtWeb(portal)
  const session = { ...headers, cookie: signedIn.cookieHeader() }
  return {
    page: () => ask(origin, { path: '/account', headers: session }),
    part: () => ask(origin, { path: '/account', headers: { ...session, rsc: '1' } }),
    form: () => send(formData([...inputs, ...Object.entries(fields)])),
    formWithScripts: () =>
      send(formData([...scripted(fields), ['0', '[{},"$K1"]']]), { 'next-action': id }),
  }
}

function scripted(fields: Record<string, string>): [string, string][] {
  return Object.entries(fields).map(([name, value]) => [`_1_${name}`, value])
}

function formData(fields: readonly (readonly [string, string])[]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}
