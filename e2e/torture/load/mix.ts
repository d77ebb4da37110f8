import { machineToken, sessionOf } from '../../support/api'
import { FORM, machineFields } from '../../support/ask'
import { OldBrowser } from '../../support/old-browser'
import type { Portal } from '../../support/portal'
import { portalOf } from '../arena'
import { newPerson, PASSWORD } from '../people'
import { seeded } from '../seeded'
import { sender } from '../sender'

/** What a portal hears on an ordinary day, in about these shares. */

export type Call = {
  name: string
  /** Null when the answer is as it should be. */
  make(): Promise<string | null>
}

type Login = { email: string; password: string }

const CROWD = 100

type Weighted = Call & { weight: number }

export async function mix(portal: Portal, seed: number): Promise<() => Call> {
  const calls = await weighted(portal)
  const all = calls.reduce((sum, { weight }) => sum + weight, 0)
  const next = seeded(seed)
  return () => {
    let left = next() * all
    const chosen = calls.find(({ weight }) => {
      left -= weight
      return left < 0
    })
    return chosen ?? (calls[0] as Call)
  }
}

async function weighted(portal: Portal): Promise<Weighted[]> {
  const send = sender(portal)
  const demo = portal.demo()
  const orders = await machineToken(portal, 'orders:read')
  const checks = await machineToken(portal, 'permissions:check')
  const { cookie = '' } = await sessionOf(portal, demo.admin)
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
  const people = await crowd(portal)
  let entered = 0
  const { grant_type: _grant, scope: _scope, ...client } = machineFields(portal)
  return [
    post('token', 50, '/oidc/token', FORM, form(machineFields(portal))),
    post(
      'introspection',
      15,
      '/oidc/token/introspection',
      FORM,
      form({ ...client, token: orders }),
    ),
    post(
      ...(['check', 25, '/api/v1/permissions/check'] as const),
      { 'content-type': 'application/json', authorization: `Bearer ${checks}` },
      JSON.stringify({ user: demo.users[0]?.email, permission: 'orders:read' }),
    ),
    get('jwks', 3, '/oidc/.well-known/jwks.json'),
    get('discovery', 3, '/.well-known/openid-configuration'),
    get('admin page', 2, '/admin/users', { cookie }),
    { name: 'login', weight: 1, make: () => signIn(portal, nextPerson()) },
  ]

  function nextPerson(): Login {
    entered += 1
    return people[entered % people.length] as Login
  }

  function post(
    name: string,
    weight: number,
    path: string,
    headers: Record<string, string>,
    body: string,
  ): Weighted {
    return { name, weight, make: () => send('POST', path, headers, body) }
  }

  function get(name: string, weight: number, path: string, headers = {}): Weighted {
    return { name, weight, make: () => send('GET', path, headers) }
  }
}

/** Nobody signs in as often as all of them together: their account would be locked for a while. */
async function crowd(portal: Portal): Promise<Login[]> {
  const op = await portalOf(portal)
  const people: Login[] = []
  while (people.length < CROWD) {
    const { email } = await newPerson(op)
    people.push({ email, password: PASSWORD })
  }
  await op.close()
  return people
}

/** The login page, the question for the password, and the front page behind it. */
async function signIn(portal: Portal, person: Login): Promise<string | null> {
  const browser = new OldBrowser(portal.origin)
  const page = await browser.signIn(await browser.open('/login'), person)
  return page.status === 200 && !page.url.includes('/login') ? null : `${page.status} ${page.url}`
}
