import { redirect } from 'next/navigation'
import { textOf } from './form'

/**
 * How an action of a page sends the browser on. Next answers a scripted action's redirect by
 * fetching its target on the server first; the target may be an authorization request that can be
 * resumed once, so the browser must be the one to ask: it is given the address. Without script the
 * form ends at a page of its own: Chromium holds `form-action 'self'` against every redirect that
 * follows a POST, and the next one may lead to the application (attack M18).
 */
export function redirectAfterAction(goTo: string, form: FormData): string {
  if (textOf(form, 'scripted') === 'yes') return goTo
  redirect(goTo.startsWith('/oidc/') ? `/login/continue?to=${encodeURIComponent(goTo)}` : goTo)
}
