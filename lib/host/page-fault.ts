import { pathOf } from '../http'
import { op } from '../op'
import { requestContext } from './request-context'

export async function reportPageFault(error: unknown, url: string, route: string): Promise<void> {
  const { log } = await op()
  const { digest } = error as { digest?: string }
  const requestId = requestContext().getStore()?.requestId
  log.error({ requestId, digest, path: pathOf(url), route, err: error }, 'fault in a page')
}
