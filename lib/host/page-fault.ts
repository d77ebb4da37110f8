import { pathOf } from '../base/http'
import { requestContext } from '../base/request-context'
import { op } from '../op'

export async function reportPageFault(error: unknown, url: string, route: string): Promise<void> {
  const { log } = await op()
  const { digest } = error as { digest?: string }
  const requestId = requestContext().getStore()?.requestId
  log.error({ requestId, digest, path: pathOf(url), route, err: error }, 'fault in a page')
}
