import { decodeEntities, type Page } from './old-browser'

/** The forms of a page with their fields, and what the page says about one that was refused. */

/** `longest`: a browser takes no more characters. */
export type FormField = { name: string; type: string; value: string; longest: number }
export type PageForm = {
  action: string
  method: 'get' | 'post'
  multipart: boolean
  /** What goes along unseen. */
  hidden: [string, string][]
  /** What a person can fill in. */
  fields: FormField[]
}
export type FieldMessage = { text: string; field: string | null }

const UNSEEN = ['hidden', 'submit', 'button', 'image', 'reset']

export function formsIn(page: Page): PageForm[] {
  return [...page.html.matchAll(/<form\b[\s\S]*?<\/form>/g)].map(([form]) => toForm(form, page.url))
}

function toForm(form: string, url: string): PageForm {
  const [tag = ''] = /<form\b[^>]*>/.exec(form) ?? []
  const inputs = [...form.matchAll(/<input\b[^>]*>/g)].map(([input]) => inputIn(input))
  const areas = [...form.matchAll(/(<textarea\b[^>]*>)([\s\S]*?)<\/textarea>/g)].map((found) => ({
    ...inputIn(found[1] ?? ''),
    type: 'textarea',
    value: decodeEntities(found[2] ?? '').replace(/^\n/, ''),
  }))
  const named = [...inputs, ...areas, ...selectsIn(form)].filter(({ name }) => name !== '')
  return {
    action: new URL(attributeOf(tag, 'action'), url).href,
    method: attributeOf(tag, 'method').toLowerCase() === 'post' ? 'post' : 'get',
    multipart: /multipart/i.test(attributeOf(tag, 'enctype')),
    hidden: named.filter(({ type }) => type === 'hidden').map(({ name, value }) => [name, value]),
    fields: named.filter(({ type }) => !UNSEEN.includes(type)),
  }
}

function inputIn(tag: string): FormField {
  const type = attributeOf(tag, 'type') || 'text'
  const name = / disabled=/.test(tag) ? '' : attributeOf(tag, 'name')
  const longest = Number(attributeOf(tag, 'maxlength') || Number.POSITIVE_INFINITY)
  return { name, type, value: attributeOf(tag, 'value'), longest }
}

function selectsIn(form: string): FormField[] {
  return [...form.matchAll(/(<select\b[^>]*>)([\s\S]*?)<\/select>/g)].map(([, tag = '', inner]) => {
    const options = [...(inner ?? '').matchAll(/<option\b[^>]*>/g)].map(([one]) => one)
    const chosen = options.find((one) => / selected=/.test(one)) ?? options[0] ?? ''
    const value = attributeOf(chosen, 'value')
    return { name: attributeOf(tag, 'name'), type: 'select', value, longest: value.length }
  })
}

function attributeOf(tag: string, name: string): string {
  return decodeEntities(new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1] ?? '')
}

const ALERT = /<div role="alert"[^>]*>([\s\S]*?)<\/div>/
const LINE = /<li>([\s\S]*?)<\/li>/g

/** The lines of the summary of errors. A link leads to the field; null where there is none. */
export function toldOn({ html }: Page): FieldMessage[] {
  const [, summary = ''] = ALERT.exec(html) ?? []
  return [...summary.matchAll(LINE)].map(([, line = '']) => ({
    text: plain(line),
    field: /<a href="#([^"]+)"/.exec(line)?.[1] ?? null,
  }))
}

/** The texts beside fields: their IDs end in `-error`. */
export function errorsBeside({ html }: Page): { field: string; text: string }[] {
  return [...html.matchAll(/<p id="([^"]+)-error"[^>]*>([\s\S]*?)<\/p>/g)].map(
    ([, field = '', text = '']) => ({ field, text: plain(text) }),
  )
}

export function hasId({ html }: Page, id: string): boolean {
  return html.includes(` id="${id}"`)
}

/** What was done or not done, where everybody sees it. */
export function noticesOn({ html }: Page): string[] {
  // The palette has a status of its own, in a dialog that is shut.
  const open = html.replaceAll(/<dialog\b[\s\S]*?<\/dialog>/g, '')
  const boxes = open.matchAll(/<(p|div)\b([^>]* role="(?:alert|status)"[^>]*)>([\s\S]*?)<\/\1>/g)
  return [...boxes]
    .filter(([, , attributes = '']) => !attributes.includes('sr-only'))
    .map(([, , , text = '']) => plain(text))
    .filter((text) => text.trim() !== '')
}

/** Its heading; where Next.js leaves the body to its script, the title of the document. */
export function titleOf({ html }: Page): string {
  return plain(
    /<(h1|title)\b[^>]*>([\s\S]*?)<\/\1>/.exec(html.replace(/^[\s\S]*(?=<h1)/, ''))?.[2] ?? '',
  )
}

/** The summary takes the focus, also without script. */
export function takesFocus({ html }: Page): boolean {
  return / autofocus=/i.test(/<div role="alert"[^>]*>/.exec(html)?.[0] ?? '')
}

function plain(html: string): string {
  return decodeEntities(html.replaceAll(/<!--[\s\S]*?-->|<[^>]+>/g, ''))
}
