import { redirect } from 'next/navigation'
import { textOf } from './form'
import { afterForm } from './return-to'

/**
 * How an action of a page redirects the browser. For an action with scripts, Next.js first fetches
 * the target on the server. The target may be an authorization request that can be resumed only
 * once, so the browser itself must open it: it gets the address.
 */
export function redirectAfterAction(goTo: string, form: FormData): string {
  if (textOf(form, 'scripted') === 'yes') return goTo
  redirect(afterForm(goTo))
}
