import {
  Decided,
  givesText,
  groupsOf,
  ItemFacts,
  ItemMarks,
  Suggestion,
  subjectText,
} from '@/app/account/reviews/facts'
import { type AdminApi, withQuery } from '@/lib/admin/api'
import { listAccessReviewItems } from '@/lib/api/reviews/routes'
import type { ReviewItemWire, ReviewWire } from '@/lib/api/reviews/wire'
import { currentMessages } from '@/lib/browser/locale'
import type { SearchParams } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { Pages } from '../../../_ui/pages'
import { Tabs } from '../../../_ui/tabs'

type Props = { api: AdminApi; review: ReviewWire; query: SearchParams }

const AT_ONCE = 50

/** The items, by whoever decided about them. */
export async function Items({ api, review, query }: Props) {
  const { reviews: words } = (await currentMessages()).admin
  const open = query.part === 'open'
  const cursor = typeof query.cursor === 'string' ? query.cursor : undefined
  const { data, page } = await api.get(listAccessReviewItems, {
    params: { review: review.id },
    query: {
      view: 'all',
      sort: 'gives',
      limit: AT_ONCE,
      cursor,
      ...(open && { decided: 'false' }),
    },
  })
  const at = `/admin/reports/reviews/${review.id}`
  const hrefOf = (isOpen: boolean, next?: string) =>
    withQuery(at, { part: isOpen ? 'open' : undefined, cursor: next })
  const groups = groupsOf(data, ({ decidedBy }) => decidedBy?.name ?? '')
  const sorted = groups.sort(([a], [b]) => a.localeCompare(b))
  return (
    <section className="grid gap-5">
      <h2 className="font-semibold text-lead">{words.items}</h2>
      <Tabs
        label={words.items}
        tabs={[
          { href: hrefOf(false), label: words.itemsAll, current: !open },
          { href: hrefOf(true), label: words.itemsOpen, current: open },
        ]}
      />
      {data.length === 0 && <p className="text-muted">{words.itemsNone}</p>}
      {sorted.map(([name, items]) => (
        <section key={name} className="grid gap-3">
          <h3 className="font-semibold">
            {name === '' ? words.groupOpen : fill(words.groupOf, { name })}
          </h3>
          <ul className="grid gap-3 xl:grid-cols-2">
            {items.map((item) => (
              <OneItem key={item.id} item={item} />
            ))}
          </ul>
        </section>
      ))}
      <Pages page={page} hrefOf={(next) => hrefOf(open, next)} />
    </section>
  )
}

async function OneItem({ item }: { item: ReviewItemWire }) {
  const messages = await currentMessages()
  return (
    <li className="grid min-w-0 content-start gap-3 rounded-panel border border-line bg-raised px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h4 className="font-semibold [overflow-wrap:anywhere]">
          {subjectText(item, messages)}: {givesText(item, messages)}
        </h4>
        <ItemMarks item={item} />
      </div>
      <ItemFacts item={item} />
      {item.decision === null && item.outcome === null && <Suggestion item={item} />}
      <Decided item={item} />
    </li>
  )
}
