import { requestContext } from '../base/request-context'

type Refused = { problem?: string | undefined; retryAfterSeconds?: number | undefined }

const OUTAGE = { status: 503, retryAfterSeconds: 5 } as const

/**
 * A page that answers a form with an error also sets the status: 429 if the user has to wait, 503 if
 * the portal cannot do it now, otherwise 400. Only the Node host can do this; under plain Next.js the
 * page is a 200.
 */
export function withFormStatus<const State extends Refused>(state: State, status = 400): State {
  const context = requestContext().getStore()
  if (!context || state.problem === undefined) return state
  const { retryAfterSeconds } = state
  if (status === OUTAGE.status) context.refusal = OUTAGE
  else context.refusal = { status: state.problem === 'slow_down' ? 429 : 400, retryAfterSeconds }
  return state
}

/** The same for a page that only says that something is refused. */
export function refusedPage(): void {
  const context = requestContext().getStore()
  if (context) context.refusal = { status: 403 }
}
