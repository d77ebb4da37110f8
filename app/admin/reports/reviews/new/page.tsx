import { QuietLink } from '@/app/_ui/quiet-link'
import { worded } from '@/app/_ui/worded'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { meantBy } from '@/lib/admin/choice'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps, SearchParams } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { Choose, ChooseMany, searchSource } from '../../../_ui/choose'
import { Fold } from '../../../_ui/fold'
import { AdminForm, Check, Select, TextInput } from '../../../_ui/form'
import { AdminFrame } from '../../../_ui/frame'
import { startReview } from '../actions'

export const generateMetadata = pageTitle(({ admin }) => admin.reviews.newTitle)

const LIST = '/admin/reports/reviews'

/** What a review looks at, who decides and until when; an address can say what it is over. */
export default async function NewReviewPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/reports/reviews/new')
  const params = await searchParams
  const { admin, common } = await currentMessages()
  const { reviews: words, form } = admin
  return (
    <AdminFrame
      api={api}
      page="/admin/governance"
      title={words.newTitle}
      intro={words.newIntro}
      above={{ href: LIST, label: words.above }}
    >
      <div className="max-w-[38rem]">
        <AdminForm
          action={startReview}
          words={{ submit: words.startNow, busy: words.starting, problem: common.problem }}
          aside={<QuietLink href={LIST}>{form.cancel}</QuietLink>}
        >
          <TextInput name="name" label={words.name} hint={words.nameHint} />
          <OverFields api={api} params={params} />
          <ReviewerFields />
          <DeadlineField />
        </AdminForm>
      </div>
    </AdminFrame>
  )
}

const USUAL_UNUSED = 90

/** Each only with the kind that it belongs to, where a style sheet can ask for that. */
const thingClass = '[.over:has(option[value=unused]:checked,option[value=portal]:checked)_&]:hidden'
const daysClass = '[.over:not(:has(option[value=unused]:checked))_&]:hidden'

async function OverFields({ api, params }: { api: AdminApi; params: SearchParams }) {
  const { reviews, admin } = await currentMessages()
  const { reviews: words } = admin
  const given = { over: String(params.over ?? ''), thing: String(params.thing ?? '') }
  const days = Number(params.days) || USUAL_UNUSED
  const meant = given.thing === '' ? undefined : await meantBy(api, 'reviewed', given.thing)
  const unused = fill(reviews.over.unused, { days: '…' })
  const options = [
    ['thing', words.overThing],
    ['unused', unused],
    ['portal', reviews.over.portal],
  ] as const
  return (
    <fieldset className="over grid min-w-0 gap-6">
      <legend className="mb-2 font-semibold text-lead">{words.over}</legend>
      <Select
        name="over"
        label={words.overKind}
        defaultValue={options.some(([value]) => value === given.over) ? given.over : 'thing'}
        options={options}
      />
      <div className={thingClass}>
        <Choose
          name="thing"
          kind="reviewed"
          label={words.thing}
          value={given.thing}
          meant={meant}
        />
      </div>
      <div className={daysClass}>
        <TextInput {...worded(words, 'unusedDays')} type="number" defaultValue={String(days)} />
      </div>
    </fieldset>
  )
}

async function ReviewerFields() {
  const { reviews: words } = (await currentMessages()).admin
  const source = searchSource('reviewer')
  return (
    <fieldset className="grid min-w-0 gap-6">
      <legend className="mb-2 font-semibold text-lead">{words.whoDecides}</legend>
      <ChooseMany {...worded(words, 'reviewers')} source={source} chosen={[]} />
      <Check name="owners" label={words.owners} />
      <TextInput name="manager" label={words.manager} hint={words.managerHint} />
      <Fold title={words.fallback}>
        <ChooseMany {...worded(words, 'fallback')} source={source} chosen={[]} />
      </Fold>
    </fieldset>
  )
}

const USUAL = [3, 7, 14, 30, 60, 90]

async function DeadlineField() {
  const { reviews: words } = (await currentMessages()).admin
  const locale = await currentLocale()
  const options = USUAL.map((days) => [String(days), plural(locale, words.daysOf, days)] as const)
  return <Select {...worded(words, 'days')} defaultValue="14" options={options} />
}
