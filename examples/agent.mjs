// An agent on somebody's machine: it knows the address of an MCP server and nothing else. Its client
// ID is the https address of a document that describes it. Without one, it registers itself.
import { createServer } from 'node:http'
import {
  auth,
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'

const { SERVER = 'http://localhost:3000/mcp', CLIENT_DOCUMENT, CLIENT_ID, TOOL } = process.env
const { PORT = '7777', ARGUMENTS = '{}' } = process.env
const REDIRECT = `http://127.0.0.1:${PORT}/callback`

/** What the SDK stores between its steps. A real agent keeps tokens in the keychain. */
const kept = { information: CLIENT_ID ? { client_id: CLIENT_ID } : undefined }
const provider = {
  redirectUrl: REDIRECT,
  clientMetadataUrl: CLIENT_DOCUMENT,
  clientMetadata: { client_name: 'Example agent', redirect_uris: [REDIRECT] },
  clientInformation: () => kept.information,
  saveClientInformation: (information) => {
    kept.information = information
  },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => {
    kept.tokens = tokens
  },
  saveCodeVerifier: (verifier) => {
    kept.verifier = verifier
  },
  codeVerifier: () => kept.verifier,
  saveDiscoveryState: (state) => {
    kept.discovered = state
  },
  discoveryState: () => kept.discovered,
  redirectToAuthorization: (url) => console.log(`Open ${url}`),
}

/** The browser comes back to this machine (RFC 8252 §7.3). */
let arrived = () => {}
const callbacks = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, REDIRECT)
  if (pathname !== '/callback') return response.writeHead(404).end()
  response.writeHead(200, { connection: 'close' }).end('You can close this window.')
  arrived(Object.fromEntries(searchParams))
}).listen(Number(PORT), '127.0.0.1')

/** Signs in first, and again whenever the server asks for another scope. */
async function signedIn(work) {
  for (let round = 0; round < 3; round += 1) {
    const callback = new Promise((resolve) => {
      arrived = resolve
    })
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error
      const { code: authorizationCode, iss, error: refused } = await callback
      if (refused) throw new Error(refused)
      await auth(provider, { serverUrl: SERVER, authorizationCode, iss })
    }
  }
  throw new Error('the server asks for more than the portal grants')
}

const client = await signedIn(async () => {
  const made = new Client({ name: 'example-agent', version: '1.0.0' })
  const authProvider = provider
  await made.connect(new StreamableHTTPClientTransport(new URL(SERVER), { authProvider }))
  return made
})
const { tools } = await client.listTools()
console.log(`Tools: ${tools.map(({ name }) => name).join(', ')}`)
if (TOOL) {
  const call = { name: TOOL, arguments: JSON.parse(ARGUMENTS) }
  const { content } = await signedIn(() => client.callTool(call))
  for (const { text } of content) console.log(text)
}
await client.close()
callbacks.close()
