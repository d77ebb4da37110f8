import express from 'express'
import { auth, requiredScopes } from 'express-oauth2-jwt-bearer'

const app = express()
app.use(auth({ issuerBaseURL: "{{issuer}}", audience: "{{audience}}" }))

app.get('/', requiredScopes("{{scope}}"), (request, response) => {
  response.json({ hello: request.auth.payload.sub })
})

app.listen({{apiPort}})
