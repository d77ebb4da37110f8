import { redirect } from 'next/navigation'
import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { SubmitButton } from '@/app/_ui/submit-button'
import { currentClock } from '@/lib/browser/clock'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { leavingSession } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { written } from '@/lib/i18n/moments'
import { goOnLeaving, keep } from './actions'

export const generateMetadata = pageTitle(({ account }) => account.keep.title)

/** All that an account can do while it waits to be deleted: stay, or not. */
export default async function KeepPage() {
  const session = await leavingSession()
  if (!session) redirect('/account')
  const { keep: words } = (await currentMessages()).account
  const date = written(session.deleteAfter, 'longDay', await currentClock())
  return (
    <PageFrame>
      <div className="grid gap-8">
        <Heading title={words.title} text={fill(words.intro, { date })} />
        <div className="flex flex-wrap gap-3">
          <form action={keep}>
            <SubmitButton label={words.keep} busyLabel={words.keeping} />
          </form>
          <form action={goOnLeaving}>
            <QuietSubmit label={words.leave} busyLabel={words.leaving} />
          </form>
        </div>
      </div>
    </PageFrame>
  )
}
