import type { Demo } from '../../lib/operations/demo'
import type { Subject } from './relying-party'
import { rotation } from './rotation'

/** What `npm start -- --demo` writes is all that the suite has to know. */
export function subjectFromDemo({ issuer, users, web, spa, machine }: Demo): Subject {
  const [user] = users
  return {
    issuer,
    user: { login: user?.email ?? '', password: user?.password ?? '' },
    client: { ...web, redirect_uri: web.redirect_uris[0] ?? '' },
    client2: { ...spa, client_secret: null, redirect_uri: spa.redirect_uris[0] ?? '' },
    postLogoutRedirectUri: web.post_logout_redirect_uris[0] ?? '',
    rotateKeys: rotation(issuer, machine),
  }
}
