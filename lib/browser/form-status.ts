import { requestContext } from '../base/request-context'

type Refused = { problem?: string | undefined; retryAfterSeconds?: number | undefined }

/**
 * The page that answers a form with a problem says so in its status too: 429 where somebody has to
 * wait, else 400. Only the Node host can; under plain Next such a page is a 200.
 */
export function withFormStatus<const State extends Refused>(state: State): State {
  const context = requestContext().getStore()
  if (!context || state.problem === undefined) return state
  const { retryAfterSeconds } = state
  context.refusal = { status: state.problem === 'slow_down' ? 429 : 400, retryAfterSeconds }
  return state
}
