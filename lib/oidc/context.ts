import type { Context, Policy } from '../access/policy'
import type { Incoming } from '../base/http'
import type { AccessKey, Application } from './client'
import type { Provider } from './provider'

/** What conditions can read about a request. An unknown value is absent, never empty. */

type Caller = { id: string; application: Application; accessKey: AccessKey | null }
type Login = {
  authTime: Date
  acr: string
  amr: readonly string[]
  user: { id: string }
  /** If it is not a code. */
  grantType?: string
}

export function clientContext(
  op: Provider,
  incoming: Pick<Incoming, 'headers' | 'ip'>,
  client: Caller,
  grantType: string | null,
): Context {
  const userAgent = incoming.headers.get('user-agent')
  return {
    request: {
      time: op.now(),
      ...(grantType && { grant_type: grantType }),
      ...(incoming.ip && { ip: incoming.ip }),
      ...(userAgent && { user_agent: userAgent }),
    },
    client: {
      id: client.id,
      application_id: client.application.id,
      ...(client.accessKey && { access_key: client.accessKey.id }),
    },
    resource: {},
    user: {},
    auth: {},
    subject: {},
    action: {},
  }
}

export function userContext(
  op: Provider,
  incoming: Pick<Incoming, 'headers' | 'ip'>,
  client: Caller,
  login: Login,
  policy: Pick<Policy, 'users'>,
): Context {
  const { id } = login.user
  const age = Math.floor((op.now().getTime() - login.authTime.getTime()) / 1000)
  return {
    ...clientContext(op, incoming, client, login.grantType ?? 'authorization_code'),
    user: { ...policy.users.get(id)?.attributes, id },
    auth: { acr: login.acr, amr: login.amr, age },
  }
}
