import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { PORTAL_SCOPE_NAMES } from '../../../lib/access/portal-api'
import type { Fields } from '../../support/ask'
import { type DocumentHost, startDocumentHost } from '../../support/document-host'
import { OldBrowser } from '../../support/old-browser'
import { type Portal, startPortal } from '../../support/portal'
import { freePort } from '../../support/postgres'
import { type MailServer, startMailServer } from '../../support/smtp'
import { STAND_IN_SECRET, type StandIn, startStandIn } from '../../support/stand-in'
import { askForToken, bearer, callAs, type WireAnswer } from './wire'
import type { World } from './world'

/**
 * A portal with its sample data, the company's mail server, and what is in the attacker's hands: a
 * mail server, a provider to sign in through, an application's server and a key pair.
 */
export type Stage = {
  portal: Portal
  origin: string
  mail: MailServer
  evil: Evil
  /** The settings that it began with. */
  security: Record<string, unknown>
  /** The owner's authority, for making worlds and for reading facts. */
  root: Root
  /** The same in person, where a machine's word is not enough. */
  owner: Root
  /** Somebody without a rank, who asks for access. */
  alice: Root
  /** The owner, who is signed in and agrees to what is asked. */
  victim: OldBrowser
  /** One in which nothing has happened yet. */
  takeWorld(): World | null
  keepWorld(world: World): void
  stop(): Promise<void>
}

type Root = (method: string, path: string, body?: unknown) => Promise<WireAnswer>

export type Evil = {
  mail: MailServer
  provider: StandIn
  providerSecret: string
  /** Where codes and webhooks go. */
  server: string
  /** Where documents describe clients. */
  site: DocumentHost
  key: { private: CryptoKey; public: JWK }
}

const SOME = 'orders-of-nobody:read'

export async function openStage(databaseUrl: string): Promise<Stage> {
  const [mail, evil] = [await startMailServer(), await attackersServers()]
  const hosts = [new URL(evil.server).host, evil.provider.host, evil.site.host]
  const portal = await startPortal({
    args: ['--demo'],
    env: {
      ...evil.site.env,
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'warn',
      CLIENT_REQUESTS_PER_MINUTE: '1000000',
      // Each call is judged by the one before; another process may be a second behind.
      WORKERS: '1',
      OUTBOUND_HOSTS: hosts.join(','),
    },
  })
  const { origin } = portal
  const victim = new OldBrowser(origin)
  let spare: World | null = null
  await victim.signIn(await victim.open('/login'), portal.demo().admin)
  const root = rootOf(portal)
  const { security } = (await root('GET', '/settings')).json
  return {
    portal,
    origin,
    mail,
    evil,
    victim,
    root,
    security,
    takeWorld() {
      const world = spare
      spare = null
      return world
    },
    keepWorld(world) {
      spare = world
    },
    owner: personOf(portal, victim, portal.demo().admin),
    alice: personOf(portal, new OldBrowser(origin), first(portal.demo().users)),
    async stop() {
      await portal.stop()
      evil.stop()
      await Promise.all([mail.close(), evil.mail.close()])
    },
  }
}

async function attackersServers(): Promise<Evil & { stop(): void }> {
  const port = await freePort()
  const receiver = createServer((_request, response) => response.end('{}'))
  await new Promise<void>((resolve) => receiver.listen(port, 'localhost', resolve))
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'evil', alg: 'ES256', use: 'sig' }
  const provider = await startStandIn()
  const site = await startDocumentHost()
  return {
    mail: await startMailServer(),
    provider,
    site,
    providerSecret: STAND_IN_SECRET,
    server: `http://localhost:${port}`,
    key: { private: privateKey, public: jwk },
    stop() {
      provider.stop()
      site.close()
      receiver.close()
      receiver.closeAllConnections()
    },
  }
}

/** Signed in again, should somebody have ended the session. */
function personOf({ origin }: Portal, browser: OldBrowser, login: Login): Root {
  const call: Root = (method, path, body) => {
    const who = { cookie: browser.cookieHeader(), origin, 'x-gatehouse-request': '1' }
    return callAs(origin, who, method, path, body)
  }
  return async (method, path, body) => {
    const answer = await call(method, path, body)
    if (answer.status !== 401) return answer
    await browser.signIn(await browser.open('/login'), login)
    return call(method, path, body)
  }
}

type Login = Parameters<OldBrowser['signIn']>[1]

function first<T>([one]: readonly T[]): T {
  if (one === undefined) throw new Error('the sample data has nobody')
  return one
}

const MAX_TRIES = 10
const BUSY_MS = 500

/** The demo's machine holds every scope of the portal. */
function rootOf(portal: Portal): Root {
  let who: Promise<Fields> | undefined
  const fresh = async (): Promise<Fields> => {
    const { client_id, client_secret } = portal.demo().machine
    const scope = [...PORTAL_SCOPE_NAMES, SOME].join(' ')
    const fields = { grant_type: 'client_credentials', client_id, client_secret, scope }
    const { json, body } = await askForToken(portal.origin, fields)
    if (!json?.access_token) throw new Error(`nobody is left who sees everything: ${body}`)
    return bearer(json.access_token)
  }
  return async (method, path, body) => {
    who ??= fresh()
    const more: Fields = ['GET', 'POST'].includes(method) ? {} : { 'if-match': '*' }
    for (let tries = 1; ; tries += 1) {
      const answer = await callAs(portal.origin, await who, method, path, body, more)
      // A signing key was revoked, which some may do.
      if (answer.status === 401 && tries < MAX_TRIES) who = fresh()
      // A busy machine.
      else if (answer.status === 503 && tries < MAX_TRIES) await sleep(BUSY_MS)
      else return answer
    }
  }
}
