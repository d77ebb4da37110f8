import { writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { temporaryFolder } from './folder'
import { freePort } from './postgres'

/** A site with metadata documents: https on this machine, with a certificate made for tests only. */

/** See trusted-certificates.ts. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUUkwnIfaRW8IzYeQaR7GbREXb4yAwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNjIzNTk0OVoYDzIxMjYxMDIz
MjM1OTQ5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATJv3FbfL9m7geu5ywI1DwKtXEANussuQdguaWysuwtcpx7ZE1fWI2Z
JC14AS4BZSSKaHgXwCYHhoQvvBGM0TdMo28wbTAdBgNVHQ4EFgQUhbxw55IkuyPW
7FgCT2EZfT/EK6gwHwYDVR0jBBgwFoAUhbxw55IkuyPW7FgCT2EZfT/EK6gwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAIWhtcVNpXEJQVP/tteX5ke5YBdwjcCCYnERVFveRBYZAiAi
NkufqdmpUP+5nayxXdy1fAK6F8LiDF40eoyGlc19CQ==
-----END CERTIFICATE-----
`
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgYY4e379lKLbRIVQ5
1lHfxp4IeK2O7HEszESoKQZ0IJShRANCAATJv3FbfL9m7geu5ywI1DwKtXEANuss
uQdguaWysuwtcpx7ZE1fWI2ZJC14AS4BZSSKaHgXwCYHhoQvvBGM0TdM
-----END PRIVATE KEY-----
`

type Answer = (request: IncomingMessage, response: ServerResponse) => void

export type DocumentHost = {
  origin: string
  host: string
  /** The environment of a portal that may call it and trusts its certificate. */
  env: Record<string, string>
  /** Answers a path from now on. */
  serve(path: string, answer: Answer): string
  document(path: string, more?: object, headers?: Record<string, string>): string
  /** How often a path was asked for. */
  asked(path: string): number
  close(): void
}

export async function startDocumentHost(): Promise<DocumentHost> {
  const port = await freePort()
  const host = `localhost:${port}`
  const origin = `https://${host}`
  const answers = new Map<string, Answer>()
  const seen: string[] = []
  const server = createServer({ cert: CERTIFICATE, key: KEY }, (request, response) => {
    const path = request.url ?? ''
    seen.push(path)
    const answer = answers.get(path)
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  const file = join(temporaryFolder(), 'certificate.pem')
  writeFileSync(file, CERTIFICATE)
  const serve = (path: string, answer: Answer) => {
    answers.set(path, answer)
    return origin + path
  }
  return {
    origin,
    host,
    serve,
    env: { REGISTRATION_OUTBOUND_HOSTS: host, NODE_EXTRA_CA_CERTS: file },
    document(path, more = {}, headers = {}) {
      const client_id = origin + path
      const known = { client_id, client_name: 'Far away', redirect_uris: [`${origin}/cb`] }
      return serve(path, (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', ...headers })
        response.end(JSON.stringify({ ...known, ...more }))
      })
    },
    asked: (path) => seen.filter((one) => one === path).length,
    close: () => server.close(),
  }
}
