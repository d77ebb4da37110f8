import { setTimeout as sleep } from 'node:timers/promises'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { MAX_REPEATS } from '../../../lib/oidc/grants/repeats'
import { ask, basic, type Fields, FORM } from '../../support/ask'
import { aliceAtWeb, exchange, getCode, refresh, webRequest } from '../../support/flow'
import type { OldBrowser } from '../../support/old-browser'
import type { Pair } from '../arena'
import type { Tally } from '../report'
import { oneWins, RACERS, type Race, someWin } from './race'
import { spread, tokenShot, tokenWords } from './shots'

/** Codes, refresh tokens and assertions: what the token endpoint takes once. */

const REFUSED = '400 invalid_grant'

/**
 * Attack E7: and because the others were replays by the rightful client, nothing of it stays alive.
 */
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
        const codeHash = pair.op.hashSecret(code)
        const row = await pair.op.db.authorizationCode.findUnique({ where: { codeHash } })
        const grants = await pair.op.db.tokenGrant.count({
          where: { id: row?.tokenGrantId ?? '' },
        })
        tally.check(grants === 1, `${grants} grants of one code`)
      },
    }
  },
}

type RefreshRace = { name: string; from?: Fields; won: number }

/**
 * Attack F2: one rotates; so many are no lost answers, and nothing of the family lives afterwards.
 */
function refreshRace({ name, from = {}, won: expected }: RefreshRace): Race {
  return {
    name: `refresh, ${name}`,
    async prepare(pair) {
      const { client_id, client_secret } = pair.front.demo().web
      const first = await newRefreshToken(pair)
      const fields = {
        grant_type: 'refresh_token',
        refresh_token: first,
        client_id,
        client_secret,
      }
      return {
        shots: spread(pair, RACERS, () => tokenShot(fields, from)),
        async judge(answers, tally) {
          someWin(tally, answers.map(tokenWords), '200', [REFUSED], expected)
          const won = answers.filter(({ status }) => status === 200)
          const successors = new Set(won.map(({ body }) => JSON.parse(body).refresh_token))
          tally.check(successors.size === 1, `${successors.size} successors of one token`)
          const [successor = ''] = successors
          const next = tokenWords(await refresh(pair.front, successor))
          tally.check(next === REFUSED, `the successor afterwards: ${next}`)
          for (const { body } of won) {
            const { access_token } = JSON.parse(body)
            tally.check(
              !(await isActive(pair, access_token)),
              'an access token outlived its family',
            )
          }
          await endedOnce(pair, first, tally)
        },
      }
    },
  }
}

export const strictRefreshRace = refreshRace({ name: 'window 0 s', won: 1 })

/** Within the window: from one network a few get the same successor again, from others nobody. */
export const refreshRaces = [
  refreshRace({
    name: 'window 10 s, one network',
    from: { 'x-forwarded-for': '192.0.2.7' },
    won: 1 + MAX_REPEATS,
  }),
  refreshRace({ name: 'window 10 s, many networks', won: 1 }),
]

/** Its two tokens are a path that is over, and the log has one reason for it. */
async function endedOnce(pair: Pair, first: string, tally: Tally): Promise<void> {
  const { db } = pair.op
  const token = await db.refreshToken.findUnique({
    where: { tokenHash: pair.op.hashSecret(first) },
    include: { family: { include: { tokens: true } } },
  })
  const family = token?.family
  tally.check(family?.revokedAt instanceof Date, 'the family lives')
  tally.check(family?.tokens.length === 2, `${family?.tokens.length} tokens in the family`)
  const ended = await db.auditEntry.findMany({ where: { event: 'refresh.replayed' } })
  const own = ended.filter(({ detail }) =>
    JSON.stringify(detail).includes(`${family?.tokenGrantId}`),
  )
  tally.check(own.length === 1, `ended ${own.length} times`)
}

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const MACHINE = 'app_demo_machine'
/** A change reaches every instance within a second. */
const SEEN_MS = 1_050

/** Attack D21. */
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
  await pair.op.changePolicy((tx) => tx.application.update({ where: { id: MACHINE }, data }))
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
