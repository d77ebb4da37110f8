import { setTimeout as sleep } from 'node:timers/promises'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { ask, basic, type Fields, FORM } from '../../support/ask'
import { aliceAtWeb, exchange, getCode, refresh, webRequest } from '../../support/flow'
import type { OldBrowser } from '../../support/old-browser'
import type { Pair } from '../arena'
import type { Tally } from '../report'
import { fewWin, oneWins, RACERS, type Race } from './race'
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

type RefreshRace = {
  name: string
  /** Headers of each request; without them, each comes from a network of its own. */
  from?: (at: number) => Fields
  /** How many may win: all of one network, or whoever comes before the first from elsewhere. */
  won: { least: number; most: number }
}

/**
 * Attack F3: one rotates, and there is one successor. Nothing of the family lives once somebody came
 * from another network, or late; otherwise the successor is its one live refresh token.
 */
function refreshRace({ name, from = () => ({}), won: expected }: RefreshRace): Race {
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
        shots: spread(pair, RACERS, (at) => tokenShot(fields, from(at))),
        async judge(answers, tally) {
          const { least, most } = expected
          fewWin(tally, answers.map(tokenWords), '200', [REFUSED], { least, most })
          const won = answers.filter(({ status }) => status === 200)
          const successors = new Set(won.map(({ body }) => JSON.parse(body).refresh_token))
          tally.check(successors.size === 1, `${successors.size} successors of one token`)
          const [successor = ''] = successors
          const lives = least === RACERS
          await (lives ? livesOn : endedOnce)(pair, { first, successor }, tally)
          const active = won.map(({ body }) => isActive(pair, JSON.parse(body).access_token))
          const wrong = (await Promise.all(active)).filter((one) => one !== lives).length
          tally.check(wrong === 0, `${wrong} access tokens do not end with their family`)
        },
      }
    },
  }
}

const ALL = { least: RACERS, most: RACERS }
const ONE = { least: 1, most: 1 }

export const strictRefreshRace = refreshRace({ name: 'window 0 s', won: ONE })

/** Even and odd ones go to different processes: both networks are at both. */
function isFirstHalf(at: number): boolean {
  return at < RACERS / 2
}

/** Within the window: from one network all get the same successor, from others nobody. */
export const refreshRaces = [
  refreshRace({
    name: 'window 10 s, one network',
    from: () => ({ 'x-forwarded-for': '192.0.2.7' }),
    won: ALL,
  }),
  refreshRace({ name: 'window 10 s, many networks', won: ONE }),
  refreshRace({
    name: 'window 10 s, two networks',
    from: (at) => ({ 'x-forwarded-for': isFirstHalf(at) ? '192.0.2.7' : '198.51.100.7' }),
    won: { least: 1, most: RACERS / 2 },
  }),
]

type Raced = { first: string; successor: string }

async function familyOf(pair: Pair, token: string) {
  const found = await pair.op.db.refreshToken.findUnique({
    where: { tokenHash: pair.op.hashSecret(token) },
    include: { family: { include: { tokens: true } } },
  })
  return found?.family
}

/** Its successor is good for one more, and never were two tokens of it good at once. */
async function livesOn(pair: Pair, { first, successor }: Raced, tally: Tally): Promise<void> {
  for (const [token, length] of [
    [first, 2],
    [successor, 3],
  ] as const) {
    const family = await familyOf(pair, token)
    tally.check(family?.revokedAt === null, 'the family was ended')
    tally.check(family?.tokens.length === length, `${family?.tokens.length} tokens in the family`)
    const unused = family?.tokens.filter(({ usedAt }) => usedAt === null).length
    tally.check(unused === 1, `${unused} live refresh tokens in the family`)
    if (token === successor) return
    const next = tokenWords(await refresh(pair.front, successor))
    tally.check(next === '200', `the successor afterwards: ${next}`)
  }
}

/** Its two tokens are a path that is over, and the log has one reason for it. */
async function endedOnce(pair: Pair, { first, successor }: Raced, tally: Tally): Promise<void> {
  const next = tokenWords(await refresh(pair.front, successor))
  tally.check(next === REFUSED, `the successor afterwards: ${next}`)
  const family = await familyOf(pair, first)
  tally.check(family?.revokedAt instanceof Date, 'the family lives')
  tally.check(family?.tokens.length === 2, `${family?.tokens.length} tokens in the family`)
  const ended = await pair.op.db.auditEntry.findMany({ where: { event: 'refresh.replayed' } })
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
