import type { Incoming } from '../base/http'
import type { Application } from './client'
import type { Provider } from './provider'

/**
 * Anybody can register an application, with any address. If the portal sent browsers there without
 * a question, a link to the portal would be a link to anywhere (RFC 9700 §4.11.2). So a user has
 * signed in first, or chooses to go on. The same section excepts `prompt=none`, whose answer is
 * always a redirect, in an invisible frame most of the time (OpenID Connect Core §3.1.2.6).
 */

/** An application that made itself known, and that no admin has verified. */
export async function isUnknownPublisher(op: Provider, application: Application): Promise<boolean> {
  if (application.registration === 'admin') return false
  const face = await op.consents.face(application.id)
  return !face?.publisherVerified
}

/** Whether an error may go to the application without a question. */
export async function maySendTo(
  op: Provider,
  incoming: Incoming,
  application: Application,
): Promise<boolean> {
  if (!(await isUnknownPublisher(op, application))) return true
  return (await op.sessionOf(incoming)) !== null || (await op.otherSessionsOf(incoming)).length > 0
}
