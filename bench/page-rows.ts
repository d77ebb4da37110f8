import { type Ask, get } from './load'
import { weighPage } from './page-weight'
import type { Contender, ShownRow } from './works'

/** The pages that people open most, beside the smallest page of the same Next.js. */

export type PageName =
  | 'login'
  | 'password'
  | 'consent'
  | 'account'
  | 'admin'
  | 'users'
  | 'user'
  | 'application'
  | 'audit'
  | 'docs'

const TITLES: Record<PageName, string> = {
  login: '`/login`',
  password: 'the password step',
  consent: 'consent',
  account: '`/account`',
  admin: '`/admin`',
  users: 'users',
  user: 'one user',
  application: 'one application',
  audit: 'the audit log',
  docs: '`/docs`',
}

const PAGE_NAMES = Object.keys(TITLES) as PageName[]

export const PAGE_ROWS: ShownRow[] = PAGE_NAMES.map((name) => ({
  id: `page-${name}`,
  title: TITLES[name],
  work(of) {
    if (!of.dialect.barePage && !of.dialect.page) return null
    const prepare = async (count: number) => {
      const ask = await askFor(of, name)
      return Array.from({ length: count }, () => ask)
    }
    return { side: of, prepare }
  },
  weigh: async (of) => weighPage(of.line, await askFor(of, name)),
  async once(of) {
    const ask = await askFor(of, name)
    return () => of.line.send([ask])
  },
}))

/** The name of a page is the same for everybody; a bare page stands beside each of ours. */
async function askFor({ dialect, line }: Contender, name: PageName): Promise<Ask> {
  const { barePage, page } = dialect
  const ask = barePage ?? page?.(name)
  if (!ask) throw new Error(`there is no page ${name}`)
  if (ask.expect !== REDIRECT) return ask
  const [answer] = (await line.send([ask])).answers
  const cookie = [ask.headers.cookie, answer?.cookies].join('; ')
  return pageAsk(answer?.location ?? '', { ...ask.headers, cookie })
}

const REDIRECT = 303

export function pageAsk(path: string, headers: Record<string, string>): Ask {
  return get(path, { ...headers, accept: 'text/html' })
}
