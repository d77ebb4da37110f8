import type { Dialect } from './dialect'
import type { Answer, Ask, Burst } from './load'
import type { Side, Work } from './measure'

/** The works, asked of whoever can do them. */

/** `port`: of its first process. */
export type Contender = Side & { dialect: Dialect; port: number }

/** At most so many times the CPU of another side, within the same run. */
export type Goal = { against: 'floor' | 'memory' | 'sqlite'; times: number }

export type Row = {
  id: string
  title: string
  goal: Goal | null
  /** Null: this one cannot do it. */
  work(of: Contender): Work | null
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

function introspection(of: Contender): Work | null {
  const { introspection: ask, introspectable, token: newToken } = of.dialect
  if (!ask) return null
  const asks: Ask[] = []
  return {
    side: of,
    behind: true,
    async prepare(count) {
      if (asks.length < count) {
        const wanted = Array.from({ length: count }, (_, at) => introspectable ?? newToken(at))
        const { answers } = await of.line.send(wanted)
        asks.splice(0, asks.length, ...answers.map((answer, at) => ask(at, accessToken(answer))))
        requireActive((await of.line.send(asks.slice(0, 1))).answers[0])
      }
      return asks.slice(0, count)
    },
  }
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
  goal: { against: 'floor', times: 1.2 },
  work: token,
})

/** What as many processes pay on this machine when they share nothing at all. */
export const FLOOR: Row = {
  id: 'floor',
  title: 'the floor, for comparison',
  goal: null,
  work: floor,
}

export const ROWS: Row[] = [
  TOKEN,
  overFloor({
    id: 'introspection',
    title: 'introspection, revocation checked',
    goal: { against: 'floor', times: 1.2 },
    work: introspection,
  }),
  {
    id: 'exchange',
    title: 'code exchange with id_token, everything stored',
    goal: { against: 'sqlite', times: 1 },
    work: exchange,
  },
  {
    id: 'refresh',
    title: 'refresh with rotation, everything stored',
    goal: { against: 'sqlite', times: 1 },
    work: refresh,
  },
  overFloor({
    id: 'check',
    title: 'permission check over HTTP',
    goal: { against: 'floor', times: 1 },
    work: check,
  }),
  {
    id: 'jwks',
    title: 'JWKS',
    goal: { against: 'memory', times: 0.5 },
    work: (of) => cheap(repeated(of, of.dialect.jwks)),
  },
  {
    id: 'discovery',
    title: 'discovery',
    goal: { against: 'memory', times: 0.5 },
    work: (of) => cheap(repeated(of, of.dialect.discovery)),
  },
  {
    id: 'authorize',
    title: '`/oidc/auth` with a session and consent, no page',
    goal: { against: 'sqlite', times: 1 },
    work: (of) => repeated(of, of.dialect.authorize),
  },
  {
    id: 'login',
    title: 'login page, server-rendered, warm',
    goal: null,
    work: (of) => repeated(of, of.dialect.loginPage),
  },
]

/** What depends on how much there is. */
export const GROWING: Row[] = ROWS.filter(({ id }) => !['jwks', 'discovery', 'login'].includes(id))
