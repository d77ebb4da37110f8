// express-openid-connect: by itself it asks for an ID token alone, without a code.
import express from 'express'
import openid from 'express-openid-connect'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT, PKCE } = process.env
const app = express()
app.use(
  openid.auth({
    issuerBaseURL: ISSUER,
    baseURL: `http://localhost:${PORT}`,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    secret: 'only for this test, and long enough for it',
    authorizationParams: {
      scope: 'openid profile email groups',
      ...(PKCE && { response_type: 'code' }),
    },
  }),
)
app.get('/', openid.claimIncludes('groups', 'night-shift'), ({ oidc }, response) => {
  response.json(oidc.user)
})
app.listen(Number(PORT))
