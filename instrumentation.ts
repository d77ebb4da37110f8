import type { Instrumentation } from 'next'
import { hasNodeHost, requestContext } from './lib/base/request-context'

/** The Node host has done this work, and loading it once more takes a third of a second. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || hasNodeHost()) return
  const { startUnderNext } = await import('./lib/host/next-start')
  startUnderNext()
}

/** Errors in pages and actions go to the same log as all others, with the digest that users see. */
export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  // Before the answer is written: its status depends on the error.
  requestContext().getStore()?.faulted?.(error)
  const { reportPageFault } = await import('./lib/host/page-fault')
  await reportPageFault(error, request.path, context.routePath)
}
