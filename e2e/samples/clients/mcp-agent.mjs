// The MCP SDK: prints where to sign in, reads the address of the answer, and calls a tool.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from './sdk.mjs'

const { SERVER, CLIENT_ID, REDIRECT_URI } = process.env
const server = new URL(SERVER)
const kept = { client: CLIENT_ID ? { client_id: CLIENT_ID } : undefined }
const authProvider = {
  redirectUrl: REDIRECT_URI,
  clientMetadata: { client_name: 'Agent', redirect_uris: [REDIRECT_URI] },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => {
    kept.client = client
  },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => {
    kept.tokens = tokens
  },
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => {
    kept.verifier = verifier
  },
  redirectToAuthorization: (address) => console.log('Open', address.href),
}
const transport = () => new StreamableHTTPClientTransport(server, { authProvider })
const client = () => new Client({ name: 'agent', version: '1' })

const first = transport()
await client()
  .connect(first)
  .catch((error) => {
    if (!(error instanceof UnauthorizedError)) throw error
  })
const [line] = await once(createInterface({ input: process.stdin }), 'line')
const answer = new URL(line).searchParams
await first.finishAuth(answer.get('code'), answer.get('iss') ?? undefined)
const signedIn = client()
await signedIn.connect(transport())
const { content } = await signedIn.callTool({ name: 'list_orders', arguments: {} })
console.log(content[0].text)
process.exit()
