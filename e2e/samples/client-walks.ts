import { generateKeyPairSync } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { machineToken } from '../support/api'
import type { Fields } from '../support/ask'
import type { Portal } from '../support/portal'
import { freePort } from '../support/postgres'
import { ALICE, type Client, type Try } from './client-list'
import { changed, register } from './registered'
import { answerTo, callWithTokens, refusalIn, walkNative, walkThrough } from './walks'
import { answers, type Running, says, type Workshop } from './workshop'

/** What Alice, a machine or a caller does with a client of others. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const AUDIENCE = 'https://orders.gatehouse.example'
const ORDERS = '/spaces/demo/resources/orders'
const START_SECONDS = 300
const SOON = 60

type Walk = (portal: Portal, client: Client, one: Try, workshop: Workshop) => Promise<void>

export function walkClient(...[portal, client, one, workshop]: Parameters<Walk>): Promise<void> {
  return WALKS[client.walk](portal, client, one, workshop)
}

const WALKS: Record<Client['walk'], Walk> = {
  check,
  api: checkApi,
  machine: signMachine,
  agent: walkAgent,
  browser: signIn,
  prompt: signIn,
  native: signIn,
}

/** All that the client has to show of Alice, in any order. */
function proofOf({ knows = ['name', 'email'] }: Client): RegExp {
  const facts = knows.map((fact) => `(?=[\\s\\S]*${ALICE[fact].replaceAll('.', '\\.')})`)
  return new RegExp(`^${facts.join('')}`)
}

async function signIn(portal: Portal, client: Client, one: Try, workshop: Workshop) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const redirectUri = `${origin}${client.callback ?? '/callback'}`
  const about = { redirectUris: [redirectUri], ...one.application }
  const { id, secret } = await register(portal, client.kind ?? 'web', about)
  const env = {
    CLIENT_ID: id,
    CLIENT_SECRET: secret,
    REDIRECT_URI: redirectUri,
    PORT: String(port),
    ...one.env,
  }
  const running = workshop.start(withEnvironment(portal, client.run, env))
  try {
    if (client.walk === 'prompt') await answerPrompt(portal, running, proofOf(client))
    else if (client.walk === 'native') {
      await walkNative(portal, running, START_SECONDS, proofOf(client))
    } else {
      await answers(running, `${origin}/`, START_SECONDS)
      await walkThrough(portal, `${origin}${client.open ?? '/'}`, proofOf(client))
    }
  } finally {
    await running.stop()
  }
}

async function answerPrompt(portal: Portal, running: Running, proof: RegExp): Promise<void> {
  const address = await says(running, /Open (http\S+)/, START_SECONDS)
  const answer = await answerTo(portal, address)
  const refusal = refusalIn(answer)
  if (refusal) throw new Error(refusal)
  running.type(answer)
  await says(running, proof, SOON)
}

/** With an MCP server of its own, which is the API for that time. */
async function walkAgent(portal: Portal, client: Client, one: Try, workshop: Workshop) {
  const port = await freePort()
  const SERVER = `http://localhost:${port}/mcp`
  const redirectUri = 'http://localhost:7777/callback'
  const { id } = await register(portal, 'native', { redirectUris: [redirectUri] })
  const takeBack = [await changed(portal, ORDERS, { audience: SERVER })]
  const serve = `exec node '${ROOT}examples/mcp-server.mjs'`
  const server = workshop.start(withEnvironment(portal, serve, { PORT: String(port) }))
  try {
    if (one.portal) takeBack.push(await changed(portal, '/settings', one.portal))
    await says(server, /The MCP server is at/, SOON)
    const env = {
      SERVER,
      CLIENT_ID: client.registersItself ? '' : id,
      REDIRECT_URI: redirectUri,
      ...one.env,
    }
    const running = workshop.start(withEnvironment(portal, client.run, env))
    await answerPrompt(portal, running, proofOf(client))
  } finally {
    await server.stop()
    for (const undo of takeBack) await undo()
  }
}

function withEnvironment(portal: Portal, run: string, more: Fields): string {
  const env = { ISSUER: portal.demo().issuer, AUDIENCE, ...more }
  const lines = Object.entries(env).map(([name, value]) => `export ${name}='${value}'`)
  return [...lines, run].join('\n')
}

/** A good token is accepted and a forged one is not. */
async function check(portal: Portal, client: Client, one: Try, workshop: Workshop) {
  const good = await machineToken(portal, 'orders:read')
  const run = (TOKEN: string) =>
    workshop.run(withEnvironment(portal, client.run, { ...one.env, TOKEN }), START_SECONDS)
  await run(good)
  const isFooled = await run(`${good.slice(0, -8)}AAAAAAAA`).then(
    () => true,
    () => false,
  )
  if (isFooled) throw new Error('it accepts a forged token')
}

async function checkApi(portal: Portal, client: Client, one: Try, workshop: Workshop) {
  const port = await freePort()
  const takeBack = one.api && (await changed(portal, ORDERS, one.api))
  const env = { PORT: String(port), ...one.env }
  const running = workshop.start(withEnvironment(portal, client.run, env))
  try {
    const home = `http://localhost:${port}/`
    await answers(running, home, START_SECONDS)
    await callWithTokens(portal, home)
  } finally {
    await running.stop()
    await takeBack?.()
  }
}

async function signMachine(portal: Portal, client: Client, one: Try, workshop: Workshop) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'sample' }
  const { id } = await register(portal, 'machine', {
    authMethods: ['private_key_jwt'],
    jwks: { keys: [jwk] },
    ...one.application,
  })
  const PRIVATE_KEY = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const env = { CLIENT_ID: id, PRIVATE_KEY, ...one.env }
  const output = await workshop.run(withEnvironment(portal, client.run, env), START_SECONDS)
  if (!output.includes('eyJ')) throw new Error(output)
}
