import type { Context, Policy } from '../../access/policy'
import type { Op } from '../../context/op'
import { aboutUser } from '../../oidc/about-user'
import { type AboutUser, userinfoClaims } from '../../oidc/claims'
import type { Credential } from '../../oidc/client'
import { accessTokenExtras, idTokenBasics, moreInIdToken } from '../../oidc/grants/user-tokens'
import { accessTokenClaims } from '../../oidc/issue'
import { NO_CLAIMS } from '../../oidc/requested-claims'

/**
 * The claims of the tokens that a sign-in would give, made by the functions that make real tokens.
 * IDs and times are those of the preview.
 */

type Preview = {
  accessToken: Record<string, unknown> & { jti: string }
  idToken: Record<string, unknown> | null
  userinfo: Record<string, unknown> | null
}

type Asked = {
  credential: Credential
  userId: string | null
  scopes: readonly string[]
  audiences: readonly string[]
  /** When the first of the scopes ends by itself; null for never. */
  until: number | null
  context: Context
  /** Whether the caller may read users; otherwise the preview says nothing about this one. */
  mayRead: boolean
}

const PREVIEW = 'preview'

export async function previewTokens(op: Op, policy: Policy, asked: Asked): Promise<Preview> {
  const { credential, userId, scopes, audiences, until, context, mayRead } = asked
  const { application, clientId } = credential
  const client = { ...credential, id: clientId }
  const tokenId = op.newTokenId()
  if (userId === null) {
    const accessToken = accessTokenClaims(op, {
      client,
      subject: clientId,
      scopes,
      policy,
      audiences,
      tokenId,
      until,
    })
    return { accessToken, idToken: null, userinfo: null }
  }
  const about = mayRead
    ? await aboutUser(op, policy, { application, userId, scopes, context })
    : null
  const { acr = 'pwd', amr = ['pwd'] } = context.auth
  const login = { userId, id: PREVIEW, sessionId: PREVIEW, authTime: op.now(), acr, amr }
  const claims = accessTokenExtras(application, login, about)
  const issued = { client, subject: userId, scopes, policy, audiences, tokenId, until, claims }
  return {
    accessToken: accessTokenClaims(op, issued),
    ...(about && scopes.includes('openid')
      ? aboutOpenId(op, credential, login, scopes, about)
      : { idToken: null, userinfo: null }),
  }
}

type Login = Parameters<typeof idTokenBasics>[2]

function aboutOpenId(
  op: Op,
  { application, clientId }: Credential,
  login: Login,
  scopes: readonly string[],
  about: AboutUser,
) {
  const mappings = application.claimMappings
  return {
    idToken: {
      ...moreInIdToken(application, NO_CLAIMS, scopes, { about, namedScopes: [] }),
      ...idTokenBasics(op, clientId, login),
    },
    userinfo: userinfoClaims(about, { scopes, named: {}, mappings }),
  }
}
