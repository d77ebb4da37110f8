import { LinkButton } from '@/app/_ui/link-button'
import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { adminPage, withQuery } from '@/lib/admin/api'
import { daysIn } from '@/lib/admin/days'
import { type CleanUpPreview, previewCleanUp } from '@/lib/api/records/clean-up'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { timeAgo } from '@/lib/i18n/time-ago'
import { Empty } from '../../_ui/empty'
import { AdminForm, Check, Ticks } from '../../_ui/form'
import { AdminFrame } from '../../_ui/frame'
import { cleanUp } from './actions'

export const generateMetadata = pageTitle(({ admin }) => admin.access.reports.cleanUp)

export default async function CleanUpPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/reports/clean-up')
  const params = await searchParams
  const days = daysIn(params)
  const client = typeof params.client === 'string' ? params.client : ''
  const preview = await api.get(previewCleanUp, { query: { client, days } })
  const { access, reviews } = (await currentMessages()).admin
  const name = client === preview.application.id ? preview.application.name : client
  const back = withQuery('/admin/reports', { days })
  const isEmpty = preview.grants.length + preview.scopes.length === 0 && preview.narrowTo === null
  const all = params.all === 'yes'
  const reviewHref = withQuery('/admin/reports/reviews/new', { thing: preview.application.id })
  return (
    <AdminFrame
      api={api}
      page="/admin/governance"
      title={fill(access.cleanUp.title, { name })}
      intro={fill(access.cleanUp.intro, { days: String(days) })}
      above={{ href: back, label: access.reports.least }}
      action={
        api.may('applications:write') && (
          <LinkButton href={reviewHref} tone="quiet">
            {reviews.start}
          </LinkButton>
        )
      }
    >
      {isEmpty ? (
        <Empty title={access.cleanUp.none} text={access.cleanUp.noneText}>
          <LinkButton href={back} tone="quiet">
            {access.cleanUp.back}
          </LinkButton>
        </Empty>
      ) : (
        <Choice
          preview={preview}
          days={days}
          back={back}
          mayWrite={api.may('applications:write')}
          all={all}
        />
      )}
      <Kept preview={preview} />
    </AdminFrame>
  )
}

type ChoiceProps = {
  preview: CleanUpPreview
  days: number
  back: string
  mayWrite: boolean
  /** Tick what is young too. */
  all: boolean
}

async function Choice({ preview, days, back, mayWrite, all }: ChoiceProps) {
  const { admin, common } = await currentMessages()
  const { cleanUp: words, reports } = admin.access
  const { client, application, complete } = preview
  if (!complete) return <p className="font-medium text-danger">{reports.incomplete}</p>
  const list = <Held preview={preview} isKey={client !== application.id} days={days} all={all} />
  if (!mayWrite) return list
  return (
    <AdminForm
      action={cleanUp}
      words={{ submit: words.submit, busy: words.busy, problem: common.problem }}
      hidden={{ client, days: String(days) }}
      aside={<QuietLink href={back}>{admin.form.cancel}</QuietLink>}
    >
      <Ticks name="grant">{list}</Ticks>
    </AdminForm>
  )
}

type HeldProps = { preview: CleanUpPreview; isKey: boolean; days: number; all: boolean }

async function Held({ preview, isKey, days, all }: HeldProps) {
  const { cleanUp: words } = (await currentMessages()).admin.access
  const locale = await currentLocale()
  const hasYoung = preview.grants.some(({ young }) => young)
  const hintOf = ({ createdAt, young, condition }: CleanUpPreview['grants'][number]) =>
    [
      fill(words.given, { when: timeAgo(new Date(createdAt), new Date(), locale) }),
      young && words.new,
      condition,
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <>
      {preview.grants.length > 0 && (
        <Section
          title={isKey ? words.keyGrants : words.grants}
          {...(hasYoung && { text: words.young })}
        >
          {hasYoung && !all && (
            <a
              href={withQuery('/admin/reports/clean-up', {
                client: preview.client,
                days,
                all: 'yes',
              })}
              className="w-fit text-link text-small"
            >
              {words.tickAll}
            </a>
          )}
          {preview.grants.map((grant) => (
            <Check
              key={grant.id}
              name="grant"
              value={grant.id}
              label={grant.pattern}
              hint={hintOf(grant)}
              checked={all || !grant.young}
            />
          ))}
        </Section>
      )}
      {preview.narrowTo && (
        <Section title={words.narrow} text={words.narrowText}>
          <Check
            name="narrowTo"
            value={preview.narrowTo.join(' ')}
            label={fill(words.narrowTo, { scopes: preview.narrowTo.join(', ') })}
          />
        </Section>
      )}
      {preview.scopes.length > 0 && (
        <Section title={words.lines}>
          {preview.scopes.map((scope) => (
            <Check key={scope} name="scope" value={scope} label={scope} checked />
          ))}
        </Section>
      )}
    </>
  )
}

async function Kept({ preview: { kept, application } }: { preview: CleanUpPreview }) {
  const { cleanUp: words } = (await currentMessages()).admin.access
  if (kept.length === 0) return null
  return (
    <Section title={words.kept} text={words.keptText}>
      <ul className="grid gap-1">
        {kept.map(({ pattern, neverAsked }) => (
          <li key={pattern} className="[overflow-wrap:anywhere]">
            {fill(words.keptLine, { pattern, items: neverAsked.join(', ') })}
          </li>
        ))}
      </ul>
      <QuietLink href={`/admin/applications/${encodeURIComponent(application.id)}/scopes`}>
        {words.edit}
      </QuietLink>
    </Section>
  )
}
