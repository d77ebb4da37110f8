import { namesOfApprovers } from '@/lib/api/requests/approver-names'
import type { RequestRuleWire } from '@/lib/api/requests/rule-routes'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import { fillUnchecked } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { op } from '@/lib/op'

/** Who decides by a rule, step by step. */
export async function Steps({ rule: { stages } }: { rule: RequestRuleWire }) {
  const { requests } = await currentMessages()
  const locale = await currentLocale()
  const names = await namesOfApprovers(
    await op(),
    stages.flatMap(({ approvers }) => approvers),
  )
  return (
    <ol className="grid gap-1">
      {stages.map(({ approvers, needed }) => {
        const texts = approvers.map(({ type, id = '', attribute }) =>
          fillUnchecked(requests.approver[type], { name: attribute ?? names.get(id) ?? id }),
        )
        return (
          <li key={JSON.stringify(approvers)} className="[overflow-wrap:anywhere]">
            {texts.join(' · ')}{' '}
            <span className="text-muted">({plural(locale, requests.needed, needed)})</span>
          </li>
        )
      })}
    </ol>
  )
}
