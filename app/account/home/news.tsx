import { deviceName } from '@/app/_ui/device-name'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { When } from '@/app/_ui/when'
import { type AccountNews, listUnread } from '@/lib/accounts/news'
import { deviceOf } from '@/lib/base/device'
import { currentMessages } from '@/lib/browser/locale'
import type { Session } from '@/lib/browser/session'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { markAllRead } from './actions'

/** What happened to the account and was not read; nothing, if nothing did. */
export async function News({ session }: { session: Session }) {
  const { account } = await currentMessages()
  const { news: words } = account.home
  const portal = await op()
  const upTo = portal.now().toISOString()
  const news = await listUnread(portal, session)
  if (news.length === 0) return null
  return (
    <Section title={words.title}>
      <ul className="grid divide-y divide-line border-line border-y">
        {news.map((notice) => (
          <li key={`${notice.kind} ${notice.id}`} className="grid gap-0.5 py-3">
            <Sentence notice={notice} account={account} />
            <span className="text-muted text-small">
              <When at={notice.at} />
            </span>
          </li>
        ))}
      </ul>
      <form action={markAllRead}>
        <input type="hidden" name="upTo" value={upTo} />
        <QuietSubmit label={words.markRead} busyLabel={words.marking} />
      </form>
    </Section>
  )
}

type SentenceProps = { notice: AccountNews; account: Messages['account'] }

/** It leads to where more is said about it; a review that is over has no page for those it is about. */
function Sentence({ notice, account }: SentenceProps) {
  const { news: words } = account.home
  if ('review' in notice) {
    const { kind, review } = notice
    return <span className="[overflow-wrap:anywhere]">{fill(words[kind], { review })}</span>
  }
  const [href, text] =
    'scope' in notice
      ? [`/account/access/${notice.id}`, fill(words[notice.kind], { scope: notice.scope })]
      : [
          '/account/sessions',
          fill(words.device, {
            device: deviceName(deviceOf(notice.userAgent), account.sessions),
          }),
        ]
  return (
    <a href={href} className="w-fit text-link [overflow-wrap:anywhere]">
      {text}
    </a>
  )
}
