import { redirect } from 'next/navigation'
import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import { AdminForm, Select, TextArea } from '@/app/admin/_ui/form'
import type { AdminApi, ApiProblem } from '@/lib/admin/api'
import type { AnswerOf } from '@/lib/api/http/client'
import { previewAccessRequest } from '@/lib/api/requests/asking-routes'
import { errorText, problemText } from '@/lib/browser/api-form'
import { currentLocale, currentMessages, currentTextPicker } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { AccountFrame } from '../frame'
import { askForAccess } from './actions'
import { emergencyHref } from './emergency-links'
import { Fact, FactList, Marks, Stages, WhatFacts } from './facts'
import { durationText, shorterThan } from './times'

export type RequestTarget = { binding: string } | { scope: string } | { request: string }
type Preview = AnswerOf<(typeof previewAccessRequest)['answers']>

/** The form that asks: what it is, who decides, why it is needed and for how long. */
export async function AskForm({ api, what }: { api: AdminApi; what: RequestTarget }) {
  const seen = await api.send(previewAccessRequest, { body: what })
  if (!seen.ok) return <Cannot problem={seen.problem} />
  const preview = seen.body
  if (preview.request !== null) redirect(`/account/access/${preview.request}?done=requestJoined`)
  const { requests } = await currentMessages()
  const { access: words } = requests
  const inWords = await currentTextPicker()
  return (
    <AccountFrame page="access" title={words.formTitle} intro={words.formIntro}>
      <Section
        title={inWords(preview.descriptions) ?? preview.scope}
        aside={<Marks sensitive={preview.sensitive} />}
      >
        <FactList>
          <WhatFacts asked={preview} />
          <Consents preview={preview} />
          <Fact term={requests.whoDecides}>
            <Stages stages={preview.rule.stages} />
          </Fact>
        </FactList>
      </Section>
      <Fields preview={preview} what={what} />
      {preview.emergency !== null && <InEmergency what={what} />}
    </AccountFrame>
  )
}

/** Whoever asks allows the application to use it: they have to know. */
export async function Consents({
  preview,
}: {
  preview: Pick<Preview, 'consents' | 'application'>
}) {
  const { access: words } = (await currentMessages()).requests
  const { consents, application } = preview
  if (!consents || application === null) return null
  return <Fact term={words.consents}>{fill(words.consentsTo, { app: application.name })}</Fact>
}

/** For those who may open it alone. */
export async function InEmergency({ what }: { what: RequestTarget }) {
  const { emergencies: words } = (await currentMessages()).requests
  return (
    <Section title={words.title} text={words.offer}>
      <div>
        <QuietLink href={emergencyHref(what)}>{words.offerLink}</QuietLink>
      </div>
    </Section>
  )
}

async function Fields({ preview: { rule }, what }: { preview: Preview; what: RequestTarget }) {
  const { requests, common } = await currentMessages()
  const { access: words } = requests
  const locale = await currentLocale()
  const shorter = shorterThan(rule.maxSeconds).map(
    (seconds) => [String(seconds), durationText(seconds, locale)] as const,
  )
  const duration = durationText(rule.maxSeconds, locale)
  const options = [...shorter, ['', fill(words.longestChoice, { duration })] as const]
  return (
    <AdminForm
      action={askForAccess}
      words={{ submit: words.send, busy: words.sending, problem: common.problem }}
      hidden={what}
      aside={<QuietLink href="/account/access">{words.back}</QuietLink>}
    >
      <TextArea
        name="reason"
        label={rule.reasonRequired ? words.why : words.whyOptional}
        hint={words.whyHint}
      />
      <Select
        {...worded(words, 'howLong', 'until')}
        defaultValue={options[0]?.[0] ?? ''}
        options={options}
      />
    </AdminForm>
  )
}

/** Somebody else's or an old link, or what nobody may ask for: why, and what works. */
export async function Cannot({ problem }: { problem: ApiProblem }) {
  const { requests, problems } = await currentMessages()
  const { access: words } = requests
  const [error] = problem.errors ?? []
  const text = error ? errorText(error, problems) : problemText(problem, problems)
  return (
    <AccountFrame page="access" title={words.cannotTitle} intro={text}>
      <div>
        <QuietLink href="/account/access">{words.back}</QuietLink>
      </div>
    </AccountFrame>
  )
}
