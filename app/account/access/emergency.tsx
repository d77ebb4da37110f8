import { redirect } from 'next/navigation'
import { LinkButton } from '@/app/_ui/link-button'
import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import { AdminForm, Select, TextArea } from '@/app/admin/_ui/form'
import type { AdminApi } from '@/lib/admin/api'
import { namesOfApprovers } from '@/lib/api/requests/approver-names'
import { previewAccessRequest, type RequestableWire } from '@/lib/api/requests/asking-routes'
import { momentText } from '@/lib/browser/clock'
import { currentLocale, currentMessages, currentTextPicker } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { AccountFrame } from '../frame'
import { wayToProof } from '../proof'
import { Cannot, Consents, type RequestTarget } from './ask'
import { openInEmergency } from './emergency-actions'
import { emergencyHref, formHref } from './emergency-links'
import { approverText, Fact, FactList, Marks, WhatFacts } from './facts'
import { durationText, shorterThan } from './times'

type Opening = NonNullable<RequestableWire['emergency']>

/** Opens it at once: what follows stands above the button. */
export async function EmergencyForm({ api, what }: { api: AdminApi; what: RequestTarget }) {
  const seen = await api.send(previewAccessRequest, { body: what })
  if (!seen.ok) return <Cannot problem={seen.problem} />
  const { emergency, descriptions, scope, sensitive } = seen.body
  if (emergency === null) redirect(formHref(what))
  const { emergencies: words } = (await currentMessages()).requests
  const inWords = await currentTextPicker()
  return (
    <AccountFrame page="access" title={words.title} intro={words.intro}>
      <Section
        title={inWords(descriptions) ?? scope}
        aside={<Marks sensitive={sensitive} emergency />}
      >
        <FactList>
          <WhatFacts asked={seen.body} />
          <Consents preview={seen.body} />
          <Consequences emergency={emergency} />
        </FactList>
      </Section>
      <Next api={api} what={what} emergency={emergency} />
    </AccountFrame>
  )
}

async function Consequences({ emergency }: { emergency: Opening }) {
  const { requests } = await currentMessages()
  const { emergencies: words } = requests
  const locale = await currentLocale()
  const { seconds, reviewSeconds, reviewers } = emergency
  const names = await namesOfApprovers(await op(), reviewers)
  return (
    <>
      <Fact term={words.ends}>
        {fill(words.endsAfter, { time: durationText(seconds, locale) })}
      </Fact>
      <Fact term={words.told}>{words.toldWhom}</Fact>
      <Fact term={words.reviewers}>
        {reviewers.map((one) => approverText(one, names, requests)).join(' · ')}
      </Fact>
      <Fact term={words.review}>
        {fill(words.reviewWithin, { time: durationText(reviewSeconds, locale) })}
      </Fact>
    </>
  )
}

type NextProps = { api: AdminApi; what: RequestTarget; emergency: Opening }

/** What stands in the way first, or the form. */
async function Next({ api, what, emergency }: NextProps) {
  const { requests } = await currentMessages()
  const { approvals, emergencies: words } = requests
  if (emergency.missingReview !== null) {
    return (
      <Section title={words.missingTitle} text={words.missing}>
        <div>
          <QuietLink href={`/account/access/${emergency.missingReview}`}>
            {words.seeMissing}
          </QuietLink>
        </div>
      </Section>
    )
  }
  if (emergency.barredUntil !== null) {
    const when = await momentText(emergency.barredUntil)
    return (
      <Section title={words.barredTitle} text={fill(words.barred, { when })}>
        <div>
          <QuietLink href={formHref(what)}>{words.askInstead}</QuietLink>
        </div>
      </Section>
    )
  }
  const proof = await wayToProof(api.session, emergencyHref(what))
  if (!proof) return <Fields what={what} emergency={emergency} />
  return (
    <Section title={approvals.proofTitle} text={words.proof}>
      <div>
        <LinkButton href={proof.href}>{proof.label}</LinkButton>
      </div>
    </Section>
  )
}

async function Fields({ what, emergency: { seconds } }: Omit<NextProps, 'api'>) {
  const { requests, common } = await currentMessages()
  const { access, emergencies: words } = requests
  const locale = await currentLocale()
  const shorter = shorterThan(seconds).map(
    (one) => [String(one), durationText(one, locale)] as const,
  )
  const options = [['', durationText(seconds, locale)] as const, ...shorter]
  return (
    <AdminForm
      action={openInEmergency}
      words={{ submit: words.open, busy: words.opening, problem: common.problem }}
      hidden={what}
      aside={<QuietLink href={formHref(what)}>{words.askInstead}</QuietLink>}
    >
      <TextArea name="reason" label={words.why} hint={words.whyHint} />
      {shorter.length > 0 && (
        <Select {...worded(access, 'howLong', 'until')} defaultValue="" options={options} />
      )}
    </AdminForm>
  )
}
