import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { SubmitButton } from '@/app/_ui/submit-button'
import {
  changeFor,
  namesIn,
  type PendingChange,
  presentPolicy,
  textsIn,
} from '@/lib/api/mcp/confirmation'
import { currentClock } from '@/lib/browser/clock'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { requireOwnFactor, requireUser } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { written } from '@/lib/i18n/moments'
import { op } from '@/lib/op'
import { sentenceOf } from '../sentence'
import { answerIt } from './actions'

export const generateMetadata = pageTitle(({ account }) => account.changes.title)

/** An agent asks for a change; only the user whom it acts for sees it and answers. */
export default async function ChangePage({ params, searchParams }: PageProps<'change'>) {
  const session = await requireUser()
  await requireOwnFactor(session)
  const { change: id } = await params
  const portal = await op()
  // Read first: what changes while the page is made is not on it.
  const policy = await presentPolicy(portal)
  const change = await changeFor(portal, session.user.id, id)
  const { changes: words } = (await currentMessages()).account
  if (!change) return <Told title={words.goneTitle} text={words.gone} />
  if (change.confirmed === true) return <Told title={words.confirmedTitle} text={words.confirmed} />
  if (change.confirmed === false) return <Told title={words.declinedTitle} text={words.declined} />
  const names = await namesIn(portal, change, session.user.adminRole)
  const again = (await searchParams).again !== undefined
  return <Question change={change} names={names} policy={policy} again={again} />
}

function Told({ title, text }: { title: string; text: string }) {
  return (
    <PageFrame>
      <Heading title={title} text={text} />
    </PageFrame>
  )
}

function NameOf({ name }: { name: string | undefined }) {
  return name === undefined ? null : <span>{name}</span>
}

type Asked = {
  change: PendingChange
  names: ReadonlyMap<string, string>
  policy: number
  /** The user answered, but for a policy that is no longer the present one. */
  again: boolean
}

async function Question({ change, names, policy, again }: Asked) {
  const { account } = await currentMessages()
  const words = account.changes
  const clock = await currentClock()
  return (
    <PageFrame>
      <div className="grid gap-6">
        <Heading title={words.title} text={fill(words.intro, { app: change.applicationName })} />
        {again && <p role="alert">{words.again}</p>}
        <section className="grid gap-3 rounded-panel border border-line bg-raised px-5 py-4">
          <h2 className="text-lead font-semibold">{sentenceOf(change, account)}</h2>
          <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[max-content_minmax(0,1fr)]">
            {Object.entries(change.arguments).map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-muted">{name}</dt>
                <dd className="grid min-w-0 [overflow-wrap:anywhere]">
                  {[...new Set(textsIn(value))].map((text) => (
                    <NameOf key={text} name={names.get(text)} />
                  ))}
                  <span className="font-mono text-small">
                    {typeof value === 'string' ? value : JSON.stringify(value)}
                  </span>
                </dd>
              </div>
            ))}
          </dl>
        </section>
        <p className="text-muted">
          {fill(words.once, { time: written(change.expiresAt, 'hour', clock) })}
        </p>
        <form action={answerIt} className="flex flex-wrap gap-3">
          <input type="hidden" name="change" value={change.id} />
          <input type="hidden" name="policy" value={policy} />
          <SubmitButton label={words.confirm} busyLabel={words.confirming} answer="yes" />
          <QuietSubmit label={words.decline} busyLabel={words.declining} answer="no" />
        </form>
      </div>
    </PageFrame>
  )
}
