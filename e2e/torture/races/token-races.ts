import { setTimeout as sleep } from 'node:timers/promises'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { ask, basic, FORM } from '../../support/ask'
import { aliceAtWeb, exchange, getCode, refresh, webRequest } from '../../support/flow'
import type { OldBrowser } from '../../support/old-browser'
import type { Pair } from '../arena'
import { oneWins, RACERS, type Race } from './race'
import { spread, tokenShot, tokenWords } from './shots'

/** Codes, refresh tokens and assertions: what the token endpoint takes once. */

const REFUSED = '400 invalid_grant'

/** E7: and because the others were replays by the rightful client, nothing of it stays alive. */
export const codeRace: Race = {
  name: 'code',
  async prepare(pair) {
    const { web } = pair.front.demo()
    const code = await getCode(await alice(pair), webRequest(pair.front.demo()))
    const fields = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: web.redirect_uris[0] ?? '',
      client_id: web.client_id,
      client_secret: web.client_secret,
    }
    return {
      shots: spread(pair, RACERS, () => tokenShot(fields)),
      async judge(answers, tally) {
        oneWins(tally, answers.map(tokenWords), '200', [REFUSED])
        const won = answers.find(({ status }) => status === 200)
        const { access_token, refresh_token } = JSON.parse(won?.body ?? '{}')
        tally.check(!(await isActive(pair, access_token)), 'a replayed code left its token alive')
        const again = tokenWords(await refresh(pair.front, refresh_token))
        tally.check(again === REFUSED, `a replayed code left its refresh token: ${again}`)
        const codeHash = pair.house.hashSecret(code)
        const row = await pair.house.db.authorizationCode.findUnique({ where: { codeHash } })
        const grants = await pair.house.db.tokenGrant.count({
          where: { id: row?.tokenGrantId ?? '' },
        })
        tally.check(grants === 1, `${grants} grants of one code`)
      },
    }
  },
}

/** F2: within the window everybody gets the one successor; without one, the first and nobody else. */
export function refreshRace(windowSeconds: number): Race {
  return {
    name: `refresh, window ${windowSeconds} s`,
    async prepare(pair) {
      const { client_id, client_secret } = pair.front.demo().web
      const first = await newRefreshToken(pair)
      const fields = {
        ...{ grant_type: 'refresh_token', refresh_token: first, client_id, client_secret },
      }
      return {
        shots: spread(pair, RACERS, () => tokenShot(fields)),
        async judge(answers, tally) {
          const words = answers.map(tokenWords)
          if (windowSeconds === 0) oneWins(tally, words, '200', [REFUSED])
          else for (const word of words) tally.check(word === '200', `within the window: ${word}`)
          const won = answers.filter(({ status }) => status === 200)
          const successors = new Set(won.map(({ body }) => JSON.parse(body).refresh_token))
          tally.check(successors.size === 1, `${successors.size} successors of one token`)
          const [successor = ''] = successors
          const next = tokenWords(await refresh(pair.front, successor))
          const expected = windowSeconds === 0 ? REFUSED : '200'
          tally.check(next === expected, `the successor afterwards: ${next}`)
        },
      }
    },
  }
}

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const MACHINE = 'app_demo_machine'
/** A change reaches every instance within a second. */
const SEEN_MS = 1_050

/** D21 */
export const assertionRace: Race = {
  name: 'client assertion id',
  async prepare(pair) {
    const sign = await signerFor(pair)
    const fields = {
      grant_type: 'client_credentials',
      scope: 'orders:read',
      client_assertion_type: TYPE,
      client_assertion: await sign(),
    }
    return {
      shots: spread(pair, RACERS, () => tokenShot(fields)),
      judge: (answers, tally) =>
        oneWins(tally, answers.map(tokenWords), '200', ['401 invalid_client']),
    }
  },
}

type Signer = () => Promise<string>

const signers = new WeakMap<Pair, Promise<Signer>>()

function signerFor(pair: Pair): Promise<Signer> {
  const known = signers.get(pair) ?? registerKey(pair)
  signers.set(pair, known)
  return known
}

/** The demo's machine gets a key, once for each pair of processes. */
async function registerKey(pair: Pair): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const { kty = '', crv = '', x = '', y = '' } = await exportJWK(publicKey)
  const data = {
    jwks: { keys: [{ kty, crv, x, y, kid: 'k1', alg: 'ES256' }] },
    authMethods: ['private_key_jwt', 'client_secret_post', 'client_secret_basic'],
  }
  await pair.house.changePolicy((tx) => tx.application.update({ where: { id: MACHINE }, data }))
  await sleep(SEEN_MS)
  return () =>
    new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setIssuer(MACHINE)
      .setSubject(MACHINE)
      .setAudience(pair.front.origin)
      .setIssuedAt()
      .setExpirationTime('60 s')
      .sign(privateKey)
}

const browsers = new WeakMap<Pair, Promise<OldBrowser>>()

/** Signed in once for each pair of processes. */
function alice(pair: Pair): Promise<OldBrowser> {
  const known = browsers.get(pair) ?? aliceAtWeb(pair.front)
  browsers.set(pair, known)
  return known
}

async function newRefreshToken(pair: Pair): Promise<string> {
  const code = await getCode(await alice(pair), webRequest(pair.front.demo()))
  return JSON.parse((await exchange(pair.front, code)).body).refresh_token
}

async function isActive(pair: Pair, token: string): Promise<boolean> {
  const { client_id, client_secret } = pair.front.demo().web
  const { body } = await ask(pair.front.origin, {
    method: 'POST',
    path: '/oidc/token/introspection',
    headers: { ...FORM, ...basic(client_id, client_secret) },
    body: `${new URLSearchParams({ token })}`,
  })
  return JSON.parse(body).active
}
