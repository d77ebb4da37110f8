import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { type Clock, written } from '@/lib/i18n/moments'
import { timeAgo, timeUntil } from '@/lib/i18n/time-ago'

type Decoded = { header: Record<string, unknown>; claims: Record<string, unknown> }
type TokenWords = Messages['admin']['tools']['token']
type Props = { decoded: Decoded; words: TokenWords; clock: Clock }

/** What a token says, and what that means; nothing here says that it is true. */
export function Claims({ decoded: { header, claims }, words, clock }: Props) {
  return (
    <div className="grid gap-6">
      <Expiry exp={claims.exp} words={words} clock={clock} />
      <Members title={words.claims} members={claims} words={words} clock={clock} />
      {Object.keys(header).length > 0 && (
        <Members title={words.header} members={header} words={words} clock={clock} />
      )}
    </div>
  )
}

function Expiry({ exp, words, clock }: { exp: unknown; words: TokenWords; clock: Clock }) {
  if (typeof exp !== 'number' || !isDate(exp)) return null
  const at = new Date(exp * 1000)
  const isOver = at.getTime() <= Date.now()
  const when = (isOver ? timeAgo : timeUntil)(at, new Date(), clock.locale)
  return (
    <p className="font-medium">
      {fill(isOver ? words.expired : words.expires, { when })} · {momentOf(exp, clock)}
    </p>
  )
}

const TIMES: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'auth_time'])

type MembersProps = {
  title: string
  members: Record<string, unknown>
  words: TokenWords
  clock: Clock
}

function Members({ title, members, words, clock }: MembersProps) {
  const meanings: Readonly<Record<string, string>> = words.meanings
  return (
    <table className="w-full border-collapse text-start max-md:block">
      <caption className="pb-1 text-start font-semibold max-md:block">{title}</caption>
      <thead className="text-muted text-small max-md:sr-only">
        <tr>
          {[words.claim, words.value, words.meaning].map((label) => (
            <th key={label} scope="col" className="py-1 pe-6 text-start font-normal">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {Object.entries(members).map(([name, value]) => (
          <tr key={name} className="border-line border-t align-top max-md:grid max-md:py-2">
            <th scope="row" className="py-2 pe-6 text-start font-normal max-md:py-0">
              <code className="code">{name}</code>
            </th>
            <td className="py-2 pe-6 font-mono text-small [overflow-wrap:anywhere] max-md:py-0">
              {typeof value === 'string' ? value : JSON.stringify(value)}
              {TIMES.has(name) && typeof value === 'number' && isDate(value) && (
                <span className="block font-sans text-muted">{momentOf(value, clock)}</span>
              )}
            </td>
            <td className="py-2 text-muted text-small max-md:py-0">
              {Object.hasOwn(meanings, name) ? meanings[name] : ''}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const LAST_SECOND = 8_640_000_000_000

function isDate(seconds: number): boolean {
  return Math.abs(seconds) <= LAST_SECOND
}

function momentOf(seconds: number, clock: Clock): string {
  return written(seconds * 1000, 'second', clock)
}
