import type { RequestTarget } from './ask'

/** The form that asks for it. */
export function formHref(what: RequestTarget): string {
  return `/account/access?${new URLSearchParams(what)}`
}

/** The form that opens it at once, for those who were named. */
export function emergencyHref(what: RequestTarget): string {
  return `${formHref(what)}&emergency=yes`
}
