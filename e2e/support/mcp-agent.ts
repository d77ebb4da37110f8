import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { auth, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { ANY, made, ok } from './access-requests'
import type { Call } from './api'
import { received } from './flow'
import type { OldBrowser, Page } from './old-browser'
import { send } from './send'

/** An MCP client of the official SDK, and the user who signs it in. */

export const CALLBACK = 'http://127.0.0.1:7777/cb'

type About = {
  redirectUrl: string
  information?: { client_id: string; client_secret?: string }
  clientMetadataUrl?: string
}

export class Agent implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly clientMetadataUrl?: string
  information: StoredOAuthClientInformation | undefined
  saved: StoredOAuthTokens | undefined
  /** Where the user has to go. */
  sentTo: URL | undefined
  #verifier = ''
  #discovered: OAuthDiscoveryState | undefined

  constructor({ redirectUrl, information, clientMetadataUrl }: About) {
    this.redirectUrl = redirectUrl
    this.information = information
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
  }

  get clientMetadata() {
    return { client_name: 'Helpful agent', redirect_uris: [this.redirectUrl] }
  }

  clientInformation() {
    return this.information
  }

  saveClientInformation(information: StoredOAuthClientInformation) {
    this.information = information
  }

  tokens() {
    return this.saved
  }

  saveTokens(tokens: StoredOAuthTokens) {
    this.saved = tokens
  }

  redirectToAuthorization(url: URL) {
    this.sentTo = url
  }

  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }

  codeVerifier() {
    return this.#verifier
  }

  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovered = state
  }

  discoveryState() {
    return this.#discovered
  }

  /** What it asked for at the authorization endpoint. */
  asked(): Record<string, string> {
    return Object.fromEntries(this.sentTo?.searchParams ?? [])
  }

  /** The user goes where the agent sent them, and agrees to these scopes. */
  async signedInBy(
    browser: OldBrowser,
    login: { email: string; password: string },
    scopes: string[],
    serverUrl: string,
  ): Promise<void> {
    const { pathname = '', search = '' } = this.sentTo ?? {}
    let page: Page = await browser.open(pathname + search)
    if (page.url.includes('/login')) page = await browser.signIn(page, login)
    if (page.url.includes('/consent')) page = await browser.submit(page, { scope: scopes })
    const { code, iss, ...rest } = received(page)
    if (code === undefined) throw new Error(`no code but ${page.url} ${JSON.stringify(rest)}`)
    const answered = { authorizationCode: code, ...(iss && { iss }) }
    const result = await authorize(this, { serverUrl, ...answered })
    if (result !== 'AUTHORIZED') throw new Error(result)
  }
}

/** `auth` of the SDK, also for a portal in this process. */
export function authorize(agent: Agent, options: Parameters<typeof auth>[1]) {
  return auth(agent, { fetchFn: send, ...options })
}

/** An application with these grants. */
export async function newClient(call: Call, grants: string[], more: object = {}) {
  const { id } = await made(call, '/applications', {
    name: 'Agent',
    kind: 'web',
    redirectUris: [CALLBACK],
    grantTypes: ['authorization_code', 'refresh_token'],
    ...more,
  })
  const { secret } = await made(call, `/applications/${id}/secrets`, { name: 'one' })
  const patterns = grants.map((pattern) => ({ pattern }))
  ok(await call('PUT', `/applications/${id}/grants`, { grants: patterns }, ANY))
  return { id: String(id), secret: String(secret) }
}

/** An agent whose application an admin made. */
export async function registered(call: Call, grants: string[], more: object = {}) {
  const { id, secret } = await newClient(call, grants, more)
  const information = { client_id: id, client_secret: secret }
  return new Agent({ redirectUrl: CALLBACK, information })
}

export async function connect(
  serverUrl: string,
  authProvider: Agent,
  options: ConstructorParameters<typeof Client>[1] = {},
): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1' }, options)
  const transport = { authProvider, fetch: send }
  await client.connect(new StreamableHTTPClientTransport(new URL(serverUrl), transport))
  return client
}

export type ToolAnswer = { isError: boolean; json: Record<string, unknown> }

export async function callTool(
  client: Client,
  name: string,
  given: Record<string, unknown>,
): Promise<ToolAnswer> {
  const result = await client.callTool({ name, arguments: given })
  const [first] = result.content as { text?: string }[]
  return { isError: result.isError === true, json: JSON.parse(first?.text ?? '{}') }
}
