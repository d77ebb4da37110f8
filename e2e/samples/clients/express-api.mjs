// express-oauth2-jwt-bearer with the two settings that it cannot do without.
import express from 'express'
import { auth, requiredScopes } from 'express-oauth2-jwt-bearer'

const { ISSUER, AUDIENCE, PORT } = process.env
const app = express()
app.use(auth({ issuerBaseURL: ISSUER, audience: AUDIENCE }))
app.get('/', requiredScopes('orders:read'), (request, response) => {
  response.json({ hello: request.auth.payload.sub })
})
app.listen(Number(PORT))
