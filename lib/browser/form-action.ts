import { hasNodeHost } from '../base/request-context'

/**
 * Where a form goes that the browser itself sends: the Node host takes it at the address of its
 * page. Plain Next.js would only show that page, so it has a route below it.
 */
export function formAction(page: string): string | undefined {
  return hasNodeHost() ? undefined : `${page}/answer`
}
