import { EmptyState } from '@/app/_ui/empty-state'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { SubmitButton } from '@/app/_ui/submit-button'
import { type NotMe, openNotMe } from '@/lib/accounts/not-me'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { secure } from './actions'

export const generateMetadata = pageTitle(({ mail }) => mail.notMe.title)

/** Shows what would happen; only the button does it (programs that read mail open every link). */
export default async function NotMePage({ searchParams }: PageProps) {
  const { token } = await searchParams
  const sent = typeof token === 'string' ? token : ''
  const opened = await openNotMe(await op(), sent)
  return (
    <PageFrame plain={opened !== null}>
      {opened ? <Question token={sent} {...opened} /> : <ClosedLink />}
    </PageFrame>
  )
}

async function Question({ token, email, newPasswordByMail }: NotMe & { token: string }) {
  const { notMe: words } = (await currentMessages()).mail
  const { sessions, apps, password, report } = words.effects
  const effects = [sessions, apps, ...(newPasswordByMail ? [password] : []), report]
  return (
    <form action={secure} className="grid max-w-[30rem] gap-6">
      <Heading title={words.title} text={fill(words.intro, { email })} />
      <ul className="grid list-disc gap-2 ps-5">
        {effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      <p>{words.kept}</p>
      <input type="hidden" name="token" value={token} />
      <div>
        <SubmitButton label={words.submit} busyLabel={words.submitting} />
      </div>
      <p className="text-muted">{words.itWasMe}</p>
    </form>
  )
}

async function ClosedLink() {
  const { notMe: words, backToSignIn } = (await currentMessages()).mail
  return (
    <EmptyState title={words.closedTitle} text={words.closed}>
      <div className="flex flex-wrap gap-3">
        <LinkButton href="/forgot">{words.newPassword}</LinkButton>
        <LinkButton href="/login" tone="quiet">
          {backToSignIn}
        </LinkButton>
      </div>
    </EmptyState>
  )
}
