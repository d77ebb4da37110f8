import { worded } from '@/app/_ui/worded'
import { durationText } from '@/app/account/access/times'
import type { AdminApi } from '@/lib/admin/api'
import { foundIn, meaningOf } from '@/lib/admin/choice'
import { namesOfApprovers } from '@/lib/api/requests/approver-names'
import type { RequestRuleWire } from '@/lib/api/requests/rule-routes'
import { HOUR_SECONDS, MINUTE_SECONDS } from '@/lib/base/time'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import { fill, fillUnchecked } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { ChooseMany, searchSource } from '../../../_ui/choose'
import { Fact, Facts } from '../../../_ui/facts'
import { Check, TextInput } from '../../../_ui/form'
import { KINDS, peopleField, reviewField } from './emergency-names'

type Emergency = NonNullable<RequestRuleWire['emergency']>
type Named = Emergency['reviewers']

/** Who may open it alone, in short. */
export async function EmergencyFact({ rule: { emergency } }: { rule: RequestRuleWire }) {
  const { requests } = await currentMessages()
  const { emergencies: words } = requests
  if (emergency === null) return <Fact term={words.rule}>{words.ruleNobody}</Fact>
  const locale = await currentLocale()
  const { people, seconds, reviewSeconds } = emergency
  const names = await namesOfApprovers(await op(), people)
  const who = people.map(({ type, id = '' }) =>
    fillUnchecked(requests.approver[type], { name: names.get(id) ?? id }),
  )
  const times = {
    time: durationText(seconds, locale),
    review: durationText(reviewSeconds, locale),
  }
  return (
    <Fact term={words.rule}>
      <span className="[overflow-wrap:anywhere]">{who.join(' · ')}</span>{' '}
      <span className="text-muted">({fill(words.short, times)})</span>
    </Fact>
  )
}

/** Reviewers whom an attribute names are shown, and changed with the API. */
export function keepsReviewers({ emergency }: RequestRuleWire): boolean {
  return emergency?.reviewers.some(({ type }) => type === 'manager') ?? false
}

type Props = { api: AdminApi; rule: RequestRuleWire | undefined }

/** Closed until somebody needs it: most rules name nobody. */
export async function EmergencyFields({ api, rule }: Props) {
  const { emergencies: words } = (await currentMessages()).requests
  const labels = { role: words.openRoles, group: words.openGroups, user: words.openUsers }
  const emergency = rule?.emergency ?? null
  const reviewers = emergency?.reviewers ?? [{ type: 'api_owners' as const }]
  if (rule && keepsReviewers(rule)) {
    return (
      <div className="grid gap-3">
        <p className="text-muted">{words.keep}</p>
        <Facts>
          <EmergencyFact rule={rule} />
        </Facts>
      </div>
    )
  }
  return (
    <details
      open={emergency !== null}
      className="open-on-problem rounded-control border border-line px-4"
    >
      <summary className="min-h-11 cursor-pointer content-center font-semibold">
        {words.rule}
      </summary>
      <div className="grid min-w-0 gap-6 pt-1 pb-5">
        <p className="text-muted">{words.ruleHint}</p>
        {KINDS.map((kind) => (
          <Chosen
            key={kind}
            api={api}
            kind={kind}
            named={emergency?.people ?? []}
            name={peopleField(kind)}
            label={labels[kind]}
          />
        ))}
        <div className="grid items-start gap-6 sm:grid-cols-2">
          <TextInput
            {...worded(words, 'minutes', 'emergencyMinutes')}
            type="number"
            defaultValue={String((emergency?.seconds ?? HOUR_SECONDS) / MINUTE_SECONDS)}
          />
          <TextInput
            {...worded(words, 'reviewHours', 'emergencyReviewHours')}
            type="number"
            defaultValue={String((emergency?.reviewSeconds ?? 24 * HOUR_SECONDS) / HOUR_SECONDS)}
          />
        </div>
        <Reviewers api={api} reviewers={reviewers} />
      </div>
    </details>
  )
}

async function Reviewers({ api, reviewers }: { api: AdminApi; reviewers: Named }) {
  const { emergencies: words } = (await currentMessages()).requests
  const labels = { role: words.reviewRoles, group: words.reviewGroups, user: words.reviewUsers }
  const owners = reviewers.some(({ type }) => type === 'api_owners')
  return (
    <>
      {KINDS.map((kind) => (
        <Chosen
          key={kind}
          api={api}
          kind={kind}
          named={reviewers}
          name={reviewField(kind)}
          label={labels[kind]}
        />
      ))}
      <Check name="reviewOwners" label={words.reviewOwners} checked={owners} />
    </>
  )
}

type ChosenProps = {
  api: AdminApi
  kind: (typeof KINDS)[number]
  named: Named
  name: string
  label: string
}

async function Chosen({ api, kind, named, name, label }: ChosenProps) {
  const ids = named.flatMap(({ type, id }) => (type === kind && id ? [id] : []))
  const chosen = await Promise.all(
    ids.map(async (id) => {
      const found = foundIn(await meaningOf(api, kind, id))
      return { value: id, label: found?.name ?? id, hint: found?.hint ?? null }
    }),
  )
  return <ChooseMany name={name} label={label} source={searchSource(kind)} chosen={chosen} />
}
