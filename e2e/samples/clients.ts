import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { machineToken } from '../support/api'
import type { Fields } from '../support/ask'
import type { Portal } from '../support/portal'
import { freePort } from '../support/postgres'
import { CLIENTS, type Client, type Try } from './client-list'
import { change, register } from './registered'
import { RUNTIMES, versionOf } from './runtimes'
import { answerTo, callWithTokens, refusalIn, walkThrough } from './walks'
import { answers, openWorkshop, says, type Workshop } from './workshop'

/** Runs the clients of others: at first as they are, then with one setting after the other. */

export type ClientAttempt = { with: string | null; worked: boolean; told: string }
export type ClientResult = {
  name: string
  does: string
  /** Null: it was not run. */
  version: string | null
  tried: ClientAttempt[]
}

const PROGRAMS = fileURLToPath(new URL('../../e2e/samples/clients/', import.meta.url))
const AUDIENCE = 'https://orders.gatehouse.example'
const INSTALL_SECONDS = 600
const START_SECONDS = 300
const SOON = 60
const ORDERS = '/spaces/demo/resources/orders'

export async function runClients(
  portal: Portal,
  isWanted: (name: string) => boolean,
): Promise<ClientResult[]> {
  const results: ClientResult[] = []
  for (const client of CLIENTS.filter(({ name }) => isWanted(name))) {
    const result = await tryClient(portal, client)
    results.push(result)
    for (const { with: how, worked, told } of result.tried) {
      const outcome = worked ? 'worked' : `did not: ${told}`
      console.log(`  ${result.version} (${client.does}), ${how ?? 'as it is'}: ${outcome}`)
    }
  }
  return results
}

async function tryClient(portal: Portal, client: Client): Promise<ClientResult> {
  const { name, does } = client
  if (!versionOf(client.on)) return { name, does, version: null, tried: [] }
  const workshop = openWorkshop()
  try {
    if (client.install) await workshop.run(client.install, INSTALL_SECONDS)
    workshop.write(programsOf(client))
    const tried: ClientAttempt[] = []
    for (const one of client.tries) {
      if (tried[0]?.worked) break // it needs no setting
      tried.push(await attempt(portal, client, one, workshop))
    }
    return { name, does, version: packageVersion(client, workshop), tried }
  } finally {
    await workshop.close()
  }
}

function programsOf({ files, words = {} }: Client) {
  return Object.entries(files).map(([from, name]) => {
    const text = readFileSync(`${PROGRAMS}${from}`, 'utf8')
    return { name, text: text.replaceAll(/@(\w+)@/g, (all, word) => words[word] ?? all) }
  })
}

/** Of the packages that were installed, the one that the row is about. */
function packageVersion({ name, on, install, words }: Client, { folder }: Workshop): string {
  if (words?.version) return `${name} ${words.version}`
  const all = RUNTIMES[on].packages(folder, install)
  const own = all.find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()} `))
  return own ?? name
}

async function attempt(
  portal: Portal,
  client: Client,
  one: Try,
  workshop: Workshop,
): Promise<ClientAttempt> {
  try {
    await walk(portal, client, one, workshop)
    return { with: one.with, worked: true, told: '' }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return { with: one.with, worked: false, told: inShort(text) }
  }
}

/** The words of the protocol or of the client say why; a stack trace does not. */
const REASONS = [
  /^(invalid_request: .+)$/m,
  /(invalid_client: .+)$/m,
  /error_description="([^"]+)"/,
  /"detail":"([^"]+)"/,
]

function inShort(text: string): string {
  const found = REASONS.map((reason) => reason.exec(text)?.[1]).find((one) => one !== undefined)
  return found ?? text.trim().split('\n').at(-1)?.slice(0, 200) ?? ''
}

async function walk(portal: Portal, client: Client, one: Try, workshop: Workshop) {
  if (client.walk === 'check') return check(portal, client, one, workshop)
  if (client.walk === 'api') return checkApi(portal, client, one, workshop)
  if (client.walk === 'machine') return signedMachine(portal, client, one, workshop)
  const port = await freePort()
  const redirectUri = `http://localhost:${port}${client.callback ?? '/callback'}`
  const { id, secret } = await register(portal, 'web', {
    redirectUris: [redirectUri],
    ...one.application,
  })
  const running = workshop.start(
    withEnvironment(client.run, {
      ...ofPortal(portal),
      CLIENT_ID: id,
      CLIENT_SECRET: secret,
      REDIRECT_URI: redirectUri,
      PORT: String(port),
      ...one.env,
    }),
  )
  try {
    if (client.walk === 'prompt') {
      const address = await says(running, /Open (http\S+)/, START_SECONDS)
      const answer = await answerTo(portal, address)
      const refusal = refusalIn(answer)
      if (refusal) throw new Error(refusal)
      running.type(answer)
      await says(running, /usr_demo_alice/, SOON)
    } else {
      const home = `http://localhost:${port}/`
      await answers(running, home, START_SECONDS)
      await walkThrough(portal, home)
    }
  } finally {
    await running.stop()
  }
}

function ofPortal(portal: Portal): Fields {
  return { ISSUER: portal.demo().issuer, AUDIENCE }
}

function withEnvironment(run: string, env: Fields): string {
  const lines = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`)
  return [...lines, run].join('\n')
}

/** A good token is accepted and a forged one is not. */
async function check(portal: Portal, client: Client, one: Try, workshop: Workshop) {
  const good = await machineToken(portal, 'orders:read')
  const run = (TOKEN: string) =>
    workshop.run(
      withEnvironment(client.run, { ...ofPortal(portal), ...one.env, TOKEN }),
      START_SECONDS,
    )
  await run(good)
  const isFooled = await run(`${good.slice(0, -8)}AAAAAAAA`).then(
    () => true,
    () => false,
  )
  if (isFooled) throw new Error('it accepts a forged token')
}

async function checkApi(portal: Portal, client: Client, one: Try, workshop: Workshop) {
  const port = await freePort()
  const { api } = one
  if (api) await change(portal, 'PATCH', ORDERS, api)
  const env = { ...ofPortal(portal), PORT: String(port), ...one.env }
  const running = workshop.start(withEnvironment(client.run, env))
  try {
    const home = `http://localhost:${port}/`
    await answers(running, home, START_SECONDS)
    await callWithTokens(portal, home)
  } finally {
    await running.stop()
    if (api) await change(portal, 'PATCH', ORDERS, { tokenType: 'at+jwt' })
  }
}

async function signedMachine(portal: Portal, client: Client, one: Try, workshop: Workshop) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'sample' }
  const { id } = await register(portal, 'machine', {
    authMethods: ['private_key_jwt'],
    jwks: { keys: [jwk] },
    ...one.application,
  })
  const PRIVATE_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const env = { ...ofPortal(portal), CLIENT_ID: id, PRIVATE_KEY, ...one.env }
  const output = await workshop.run(withEnvironment(client.run, env), START_SECONDS)
  if (!output.includes('eyJ')) throw new Error(output)
}
