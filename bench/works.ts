import type { Dialect } from './dialect'
import type { Answer, Ask, Burst } from './load'
import type { Side, Work } from './measure'
import type { Weight } from './page-weight'
import type { ServerUnderTest } from './server'

/** The works, asked of whoever can do them. */

export type Contender = Side & { dialect: Dialect; served: readonly ServerUnderTest[] }

export type Row = {
  id: string
  title: string
  /** Null: this one cannot do it. */
  work(of: Contender): Work | null
}

/** What people see. `once`: gets ready, and returns a function that shows it once. */
export type ShownRow = Row & {
  weigh(of: Contender): Promise<Weight>
  once(of: Contender): Promise<() => Promise<unknown>>
}

function repeated(of: Contender, ask: ((at: number) => Ask) | Ask | undefined): Work | null {
  if (!ask) return null
  const askAt = typeof ask === 'function' ? ask : () => ask
  return {
    side: of,
    prepare: async (count) => Array.from({ length: count }, (_, at) => askAt(at)),
  }
}

function cheap(work: Work | null): Work | null {
  return work && { ...work, cheap: true }
}

function token(of: Contender): Work | null {
  const work = repeated(of, of.dialect.token)
  return cheap(work && { ...work, behind: true })
}

/** Every token is asked about once, and the portal has not even issued it: nothing remembers it. */
function introspection(of: Contender): Work | null {
  const { introspection: ask, minted } = of.dialect
  if (!ask) return null
  let asked = 0
  return {
    side: of,
    cheap: true,
    behind: true,
    keep: ({ answers }) => answers.forEach(requireActive),
    async prepare(count) {
      const first = asked
      asked += count
      if (!minted) return (await newTokens(of, count)).map((token, at) => ask(at, token))
      const places = Array.from({ length: count }, (_, at) => first + at)
      return Promise.all(places.map(async (at) => ask(at, await minted(at))))
    },
  }
}

/** The same few tokens again and again, as a gateway asks about the clients that it knows. */
function introspectionAgain(of: Contender): Work | null {
  const { introspection: ask } = of.dialect
  if (!ask) return null
  let asks: Ask[] = []
  return {
    side: of,
    cheap: true,
    behind: true,
    keep: ({ answers }) => answers.forEach(requireActive),
    async prepare(count) {
      if (asks.length === 0) {
        asks = (await newTokens(of, KNOWN_TOKENS)).map((token, at) => ask(at, token))
      }
      return Array.from({ length: count }, (_, at) => asks[at % asks.length] as Ask)
    },
  }
}

const KNOWN_TOKENS = 200

async function newTokens(of: Contender, count: number): Promise<string[]> {
  const { introspectable, token } = of.dialect
  const wanted = Array.from({ length: count }, (_, at) => introspectable ?? token(at))
  return (await of.line.send(wanted)).answers.map(accessToken)
}

function requireActive(answer: Answer | undefined): void {
  if (JSON.parse(answer?.body ?? '{}').active !== true) throw new Error('a token is not active')
}

function accessToken({ body }: Answer): string {
  return JSON.parse(body).access_token
}

function check(of: Contender): Work | null {
  const { check: ask, checkToken } = of.dialect
  if (!ask || !checkToken) return null
  let token: string | undefined
  return {
    side: of,
    cheap: true,
    behind: true,
    keep: ({ answers }) => requireHalf(answers),
    async prepare(count) {
      if (token === undefined) {
        const [answer] = (await of.line.send([checkToken])).answers
        token = answer && accessToken(answer)
      }
      const held = token ?? ''
      return Array.from({ length: count }, (_, at) => ask(at, held))
    },
  }
}

/** As many allowed as refused: a refusal is written down, so it costs more. */
function requireHalf(answers: Answer[]): void {
  const allowed = answers.filter(({ body }) => JSON.parse(body).allowed === true).length
  const share = allowed / answers.length
  if (share < 0.5 || share > 0.55) throw new Error(`${share} of the checks were allowed`)
}

async function newCodes(of: Contender, count: number): Promise<string[]> {
  const { authorize } = of.dialect
  const asks = Array.from({ length: count }, (_, at) => authorize?.(at) as Ask)
  return (await of.line.send(asks)).answers.map(codeIn)
}

function codeIn({ location }: Answer): string {
  const code = new URL(location).searchParams.get('code')
  if (code === null) throw new Error(`no code but ${location}`)
  return code
}

function exchange(of: Contender): Work | null {
  const { authorize, exchange: ask } = of.dialect
  if (!authorize || !ask) return null
  return {
    side: of,
    behind: true,
    prepare: async (count) => (await newCodes(of, count)).map(ask),
    keep: ({ answers }) => requireTokens(answers),
  }
}

function flow(of: Contender): Work | null {
  const { authorize, exchange: spend } = of.dialect
  const work = authorize && spend ? repeated(of, authorize) : null
  if (!work || !spend) return null
  return {
    ...work,
    behind: true,
    visit: async (send, ask) => send(spend(codeIn(await send(ask)))),
    keep: ({ answers }) => requireTokens(answers),
  }
}

/** Both sides must have done the same: an access token that is a JWT, an id_token, a refresh token. */
function requireTokens(answers: Answer[]): void {
  for (const { body } of answers) {
    const { access_token, id_token, refresh_token } = JSON.parse(body)
    const complete = [access_token, id_token].every((jwt) => jwt?.split('.').length === 3)
    if (!complete || !refresh_token) throw new Error(`not everything was issued: ${body}`)
  }
}

/** Each burst spends what the burst before it gave. */
function refresh(of: Contender): Work | null {
  const { exchange: spend, refresh: ask } = of.dialect
  if (!spend || !ask) return null
  let held: string[] = []
  const keep = ({ answers }: Burst) => {
    requireTokens(answers)
    held = answers.map(({ body }) => JSON.parse(body).refresh_token)
  }
  return {
    side: of,
    behind: true,
    keep,
    async prepare(count) {
      if (held.length !== count) {
        keep(await of.line.send((await newCodes(of, count)).map(spend)))
      }
      return held.map(ask)
    },
  }
}

const floor = (of: Contender) => cheap(repeated(of, of.dialect.floor))

/** The floor signs a token whatever is asked of the others. */
function overFloor(row: Row): Row {
  const work = (of: Contender) => (of.dialect.floor ? floor(of) : row.work(of))
  return { ...row, work }
}

export const TOKEN: Row = overFloor({
  id: 'token',
  title: 'client_credentials, ES256 JWT',
  work: token,
})

/** What as many processes pay on this machine when they share nothing at all. */
export const FLOOR: Row = {
  id: 'floor',
  title: 'the floor, for comparison',
  work: floor,
}

export const ROWS: Row[] = [
  TOKEN,
  {
    id: 'flow',
    title: 'code flow: `/oidc/auth` with a session, then the exchange',
    work: flow,
  },
  {
    id: 'exchange',
    title: 'code exchange with id_token, everything stored',
    work: exchange,
  },
  {
    id: 'refresh',
    title: 'refresh with rotation, everything stored',
    work: refresh,
  },
  overFloor({
    id: 'check',
    title: 'permission check over HTTP',
    work: check,
  }),
  {
    id: 'jwks',
    title: 'JWKS',
    work: (of) => cheap(repeated(of, of.dialect.jwks)),
  },
  {
    id: 'discovery',
    title: 'discovery',
    work: (of) => cheap(repeated(of, of.dialect.discovery)),
  },
  {
    id: 'authorize',
    title: '`/oidc/auth` with a session and consent, no page',
    work: (of) => repeated(of, of.dialect.authorize),
  },
  // After the flows: its many tokens push a session out of the memory of oidc-provider.
  overFloor({
    id: 'introspection',
    title: 'introspection, each token for the first time',
    work: introspection,
  }),
  overFloor({
    id: 'introspection-again',
    title: `introspection, the same ${KNOWN_TOKENS} tokens`,
    work: introspectionAgain,
  }),
]

/** Whose tail is looked at. */
export const TAILED: Row[] = ROWS.filter(({ id }) => ['token', 'check'].includes(id))

/** What depends on how much there is. */
export const GROWING: Row[] = ROWS.filter(({ id }) => !['jwks', 'discovery'].includes(id))
