import { redirect } from 'next/navigation'
import { textOf } from './form'

/**
 * How an action of a page redirects the browser. For an action with scripts, Next.js first fetches
 * the target on the server. The target may be an authorization request that can be resumed only
 * once, so the browser itself must open it: it gets the address. Without scripts the form leads to
 * an intermediate page: Chromium applies `form-action 'self'` to every redirect after a POST, and a
 * later one may lead to the application (attack M18).
 */
export function redirectAfterAction(goTo: string, form: FormData): string {
  if (textOf(form, 'scripted') === 'yes') return goTo
  redirect(goTo.startsWith('/oidc/') ? `/login/continue?to=${encodeURIComponent(goTo)}` : goTo)
}
