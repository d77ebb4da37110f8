import { worded } from '@/app/_ui/worded'
import { durationText } from '@/app/account/access/times'
import type { AdminApi } from '@/lib/admin/api'
import { namesOfApprovers } from '@/lib/api/requests/approver-names'
import type { RequestRuleWire } from '@/lib/api/requests/rule-routes'
import { HOUR_SECONDS, MINUTE_SECONDS } from '@/lib/base/time'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import { fill, fillUnchecked } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { ChooseParties } from '../../../_ui/choose-parties'
import { Fact, Facts } from '../../../_ui/facts'
import { Fold } from '../../../_ui/fold'
import { Check, TextInput } from '../../../_ui/form'

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
  const { admin, requests } = await currentMessages()
  const { emergencies: words } = requests
  const emergency = rule?.emergency ?? null
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
  const reviewers = emergency?.reviewers ?? [{ type: 'api_owners' as const }]
  return (
    <Fold title={words.rule} text={words.ruleHint} open={emergency !== null}>
      <ChooseParties
        api={api}
        {...worded(admin.requestRules, 'emergencyPeople')}
        chosen={emergency?.people ?? []}
      />
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
      <ChooseParties
        api={api}
        {...worded(admin.requestRules, 'emergencyReviewers')}
        chosen={reviewers}
      />
      <Check
        name="reviewOwners"
        label={words.reviewOwners}
        checked={reviewers.some(({ type }) => type === 'api_owners')}
      />
    </Fold>
  )
}
