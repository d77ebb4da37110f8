import { hintOf, newId, newSecret } from '../../../lib/crypto/secrets'
import { machineToken } from '../../support/api'
import { authorizeUrl, webRequest } from '../../support/flow'
import type { Portal } from '../../support/portal'
import type { OpenPortal, Pair } from '../arena'
import { newPerson, type Person, signedIn } from '../people'

/** Who and what the load is about. */

export type App = { id: string; secret: string }

/** Somebody who signs in, and the cookie of their browser; null: they have to, again. */
export type Visitor = Person & { cookie: string | null }

export type HeldToken = { token: string; user: string }

export type World = {
  apps: App[]
  /** Who are disabled and enabled. */
  visitors: Visitor[]
  /** Whose role comes and goes; nobody disables them. */
  holders: Person[]
  codes: { code: string; user: string }[]
  refreshTokens: HeldToken[]
  /** Access tokens, and whose they are: the web application's, or a machine's. */
  accessTokens: { token: string; of: 'web' | 'machine' }[]
  /** What is being changed right now: one change of a switch follows another. */
  busy: Set<string>
  /** For the management API. */
  bearer: string
}

const APPS = 4
const VISITORS = 6
const HOLDERS = 4
export const SCOPE = 'openid offline_access'

export async function makeWorld({ front, op }: Pair): Promise<World> {
  const world: World = {
    apps: [],
    visitors: [],
    holders: [],
    codes: [],
    refreshTokens: [],
    accessTokens: [],
    busy: new Set(),
    bearer: await machineToken(front),
  }
  for (let i = 0; i < APPS; i += 1) world.apps.push(await newMachine(op, front))
  for (let i = 0; i < HOLDERS; i += 1) world.holders.push(await newPerson(op))
  for (let i = 0; i < VISITORS; i += 1) world.visitors.push(await newVisitor(op, front))
  return world
}

/** Like the demo's machine, with a grant of its own. */
async function newMachine(op: OpenPortal, front: Portal): Promise<App> {
  const id = newId('app')
  const secret = newSecret('ghcs')
  const { machine } = front.demo()
  await op.changePolicy(async (tx) => {
    const like = await tx.application.findUniqueOrThrow({ where: { id: machine.client_id } })
    const data = JSON.parse(JSON.stringify({ ...like, id, jwks: undefined }))
    await tx.application.create({ data })
    const stamps = { createdAt: op.now(), updatedAt: op.now() }
    const { createdAt } = stamps
    const shown = { secretHash: op.hashSecret(secret), hint: hintOf(secret) }
    await tx.applicationSecret.create({
      data: { id: newId('sec'), applicationId: id, name: 'first', ...shown, createdAt },
    })
    const grant = { id: newId('grn'), applicationId: id, pattern: 'orders:read' }
    await tx.grant.create({ data: { ...grant, ...stamps } })
  })
  return { id, secret }
}

/** Signed in, and agreed to the web application once and for all. */
async function newVisitor(op: OpenPortal, front: Portal): Promise<Visitor> {
  const person = await newPerson(op)
  const browser = await signedIn(op, person)
  const consent = await browser.open(authorizeUrl(webRequest(front.demo(), { scope: SCOPE })))
  if (consent.url.includes('/consent')) await browser.submit(consent, {})
  return { ...person, cookie: browser.cookieHeader() }
}
