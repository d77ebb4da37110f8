{{?byKey}}const jwk = JSON.parse(readFileSync(process.env.CLIENT_KEY_FILE, 'utf8'))
{{?byKey}}const key = { key: await importJWK(jwk, jwk.alg ?? 'ES256'), kid: jwk.kid }
const portal = await openid.discovery(
  new URL("{{issuer}}"),
  "{{clientId}}",
{{?byKey}}  undefined,
{{?byKey}}  openid.PrivateKeyJwt(key),
{{?!byKey}}  process.env.CLIENT_SECRET,
{{?!byKey}}  undefined,
{{?plainHttp}}  { execute: [openid.allowInsecureRequests] },
{{?!plainHttp}}  undefined,
)
