// @auth/express, as its documentation begins.
import { ExpressAuth, getSession } from '@auth/express'
import express from 'express'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT } = process.env
const config = {
  secret: 'only for this test',
  trustHost: true,
  providers: [
    {
      id: 'portal',
      name: 'the portal',
      type: 'oidc',
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
    },
  ],
}
const app = express()
app.use('/auth', ExpressAuth(config))
app.get('/', async (request, response) => {
  const session = await getSession(request, config)
  response.send(session ? JSON.stringify(session) : '<a href="/auth/signin">Sign in</a>')
})
app.listen(Number(PORT))
