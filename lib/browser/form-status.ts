import { requestContext } from '../base/request-context'

type Refused = { problem?: string | undefined; retryAfterSeconds?: number | undefined }

/**
 * A page that answers a form with an error also sets the status: 429 if the user has to wait,
 * otherwise 400. Only the Node host can do this; under plain Next.js the page is a 200.
 */
export function withFormStatus<const State extends Refused>(state: State): State {
  const context = requestContext().getStore()
  if (!context || state.problem === undefined) return state
  const { retryAfterSeconds } = state
  context.refusal = { status: state.problem === 'slow_down' ? 429 : 400, retryAfterSeconds }
  return state
}
