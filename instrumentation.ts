import type { Instrumentation } from 'next'

export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { warnOfUnseen } = await import('./lib/host/unseen')
  warnOfUnseen()
}

/** Faults in pages and actions reach the same log as everything else, with the digest that people see. */
export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { reportPageFault } = await import('./lib/host/page-fault')
  await reportPageFault(error, request.path, context.routePath)
}
