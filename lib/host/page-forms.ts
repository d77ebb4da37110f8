import { type PageWithForm, pageForms } from '../browser/page-forms'
import type { Op } from '../context/op'
import type { Endpoint } from '../oidc/endpoint'

/**
 * Who takes a form that the page of this path has sent. Other forms of these pages call an action of
 * Next.js, with a body of another type.
 */
export function formAt(
  method: string,
  path: string,
  headers: { get(name: string): string | null },
): Endpoint<Op> | undefined {
  if (method !== 'POST' || !isPageWithForm(path)) return undefined
  const type = headers.get('content-type') ?? ''
  return /^application\/x-www-form-urlencoded\b/i.test(type) ? pageForms[path] : undefined
}

function isPageWithForm(path: string): path is PageWithForm {
  return Object.hasOwn(pageForms, path)
}
