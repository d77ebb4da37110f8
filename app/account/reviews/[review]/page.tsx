import { LinkButton } from '@/app/_ui/link-button'
import { QuietLink } from '@/app/_ui/quiet-link'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { AdminForm } from '@/app/admin/_ui/form'
import { Pages } from '@/app/admin/_ui/pages'
import { Tabs } from '@/app/admin/_ui/tabs'
import { type AdminApi, ownApi, type Page, withQuery } from '@/lib/admin/api'
import { getAccessReview, listAccessReviewItems } from '@/lib/api/reviews/routes'
import type { ReviewItemWire, ReviewWire } from '@/lib/api/reviews/wire'
import { momentText } from '@/lib/browser/clock'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { durationText, shorterThan } from '../../access/times'
import { AccountFrame } from '../../frame'
import { wayToProof } from '../../proof'
import {
  Bar,
  Decided,
  givesText,
  groupsOf,
  ItemFacts,
  ItemMarks,
  overText,
  Suggestion,
  subjectText,
} from '../facts'
import { decide } from './actions'
import { DecisionFields } from './decision'
import { saidOf } from './said'

export const generateMetadata = pageTitle(({ reviews }) => reviews.own.title)

const AT_ONCE = 25

/** A review, for somebody who decides in it: what each item gives, how it was used, what to do. */
export default async function ReviewPage({ params, searchParams }: PageProps<'review'>) {
  const api = await ownApi()
  const { review: id } = await params
  const { done, part, cursor } = await searchParams
  const { own: words } = (await currentMessages()).reviews
  const review = await api.find(getAccessReview, { params: { review: id } })
  const back = (
    <div>
      <QuietLink href="/account/reviews">{words.back}</QuietLink>
    </div>
  )
  if (!review) {
    return (
      <AccountFrame page="reviews" title={words.goneTitle} intro={words.gone}>
        {back}
      </AccountFrame>
    )
  }
  const decided = part === 'decided'
  return (
    <AccountFrame page="reviews" title={review.name} intro={await overText(review)} done={done}>
      <Status review={review} />
      {review.may.decide && (
        <>
          <Parts id={review.id} decided={decided} />
          <Items
            api={api}
            review={review}
            decided={decided}
            cursor={typeof cursor === 'string' ? cursor : undefined}
          />
        </>
      )}
      {back}
    </AccountFrame>
  )
}

/** How far it is, and what silence does. */
async function Status({ review }: { review: ReviewWire }) {
  const { reviews } = await currentMessages()
  const { own: words } = reviews
  const locale = await currentLocale()
  const { mine, mineUndecided } = review.counts
  if (review.status !== 'open') return <p>{words.over}</p>
  if (mine === 0) return <p>{words.notYours}</p>
  const done = mine - mineUndecided
  return (
    <div className="grid gap-3">
      <Bar
        done={done}
        total={mine}
        label={reviews.progressLabel}
        text={plural(locale, words.mine, mine, { done: String(done) })}
      />
      <p className="font-medium">
        {fill(words.silence, { when: await momentText(review.deadline) })}
      </p>
      <p className="text-muted">{words.silenceText}</p>
    </div>
  )
}

function partHref(id: string, decided: boolean, cursor?: string): string {
  return withQuery(`/account/reviews/${id}`, { part: decided ? 'decided' : undefined, cursor })
}

async function Parts({ id, decided }: { id: string; decided: boolean }) {
  const { own: words } = (await currentMessages()).reviews
  const tabs = [
    { href: partHref(id, false), label: words.left, current: !decided },
    { href: partHref(id, true), label: words.done, current: decided },
  ]
  return <Tabs label={words.parts} tabs={tabs} />
}

type ItemsProps = {
  api: AdminApi
  review: ReviewWire
  decided: boolean
  cursor: string | undefined
}

async function Items({ api, review, decided, cursor }: ItemsProps) {
  const { own: words } = (await currentMessages()).reviews
  const { data, page } = await api.get(listAccessReviewItems, {
    params: { review: review.id },
    query: {
      view: 'mine',
      decided: decided ? 'true' : 'false',
      limit: AT_ONCE,
      sort: 'gives',
      cursor,
    },
  })
  if (data.length === 0) return <p>{decided ? words.nothingDecided : words.all}</p>
  const here = partHref(review.id, decided)
  const proof = data.some(({ sensitive }) => sensitive) ? await wayToProof(api.session, here) : null
  return (
    <>
      {proof && (
        <Section title={words.proofTitle} text={words.proofText}>
          <div>
            <LinkButton href={proof.href}>{proof.label}</LinkButton>
          </div>
        </Section>
      )}
      <ItemsForm review={review} items={data} />
      <Pages
        page={page as Page<unknown>['page']}
        hrefOf={(at) => partHref(review.id, decided, at)}
      />
    </>
  )
}

type FormProps = { review: ReviewWire; items: readonly ReviewItemWire[] }

async function ItemsForm({ review, items }: FormProps) {
  const messages = await currentMessages()
  const { own: words } = messages.reviews
  const groups = groupsOf(items, ({ subject }) => `${subject.type} ${subject.id}`)
  const suggests = items.some(({ decision, suggestion }) => decision === null && suggestion)
  return (
    <AdminForm
      action={decide}
      words={{ submit: words.save, busy: words.saving, problem: messages.common.problem }}
      hidden={{ review: review.id }}
      aside={
        suggests && <QuietSubmit label={words.accept} busyLabel={words.accepting} answer="accept" />
      }
    >
      {groups.map(([key, theirs]) => (
        <section key={key} className="grid min-w-0 gap-3">
          <h2 className="font-semibold text-lead [overflow-wrap:anywhere]">
            {theirs[0] && subjectText(theirs[0], messages)}
          </h2>
          {theirs.map((item) => (
            <ItemCard key={item.id} item={item} deadline={review.deadline} />
          ))}
        </section>
      ))}
      {suggests && <p className="text-muted text-small">{words.acceptHint}</p>}
    </AdminForm>
  )
}

type CardProps = { item: ReviewItemWire; deadline: string }

async function ItemCard({ item, deadline }: CardProps) {
  const messages = await currentMessages()
  const title = givesText(item, messages)
  return (
    <article className="grid min-w-0 gap-4 rounded-panel border border-line bg-raised px-4 py-4 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-semibold [overflow-wrap:anywhere]">{title}</h3>
        <ItemMarks item={item} />
      </div>
      <ItemFacts item={item} />
      <Suggestion item={item} />
      {item.decision !== null && <Decided item={item} />}
      <input type="hidden" name="item" value={item.id} />
      <input type="hidden" name={`suggested-${item.id}`} value={item.suggestion ?? ''} />
      <input type="hidden" name={`was-${item.id}`} value={saidOf(item)} />
      <Fields item={item} deadline={deadline} about={`${subjectText(item, messages)}, ${title}`} />
    </article>
  )
}

async function Fields({ item, deadline, about }: CardProps & { about: string }) {
  const { own: words, decisions } = (await currentMessages()).reviews
  const { narrowPatterns, narrowEnd } = item.may
  const ends = narrowEnd ? await endsFor(item, deadline) : []
  const mayNarrow = narrowPatterns || ends.length > 0
  const choices = (['keep', 'narrow', 'remove'] as const)
    .filter((one) => one !== 'narrow' || mayNarrow)
    .map((one) => [one, decisions[one]] as const)
  const { what, comment, narrowTo, narrowToHint, until, untilHint } = words
  const stays = item.decision === 'narrow' ? (item.decidedTo ?? []) : item.narrowTo
  return (
    <DecisionFields
      item={item.id}
      about={about}
      words={{ what, comment, narrowTo, narrowToHint, until, untilHint }}
      choices={choices}
      decision={item.decision}
      comment={item.comment ?? ''}
      narrowTo={narrowPatterns ? stays.join(' ') : null}
      ends={ends.length > 0 ? [['', words.untilSame], ...ends] : null}
      until={item.decidedUntil ?? ''}
    />
  )
}

/** Ends after the review, within the time that it has; also the one that was decided. */
async function endsFor(item: ReviewItemWire, deadline: string) {
  const { own: words } = (await currentMessages()).reviews
  const locale = await currentLocale()
  const { validFrom, endsAt, decidedUntil } = item
  const from = new Date(deadline).getTime()
  const begins = validFrom === null ? from : new Date(validFrom).getTime()
  const left = endsAt === null ? Infinity : (new Date(endsAt).getTime() - from) / 1000
  const lengths = shorterThan(left).filter((seconds) => from + seconds * 1000 > begins)
  const ends = lengths.map((seconds) => {
    const label = fill(words.untilIn, { duration: durationText(seconds, locale) })
    return [new Date(from + seconds * 1000).toISOString(), label] as const
  })
  if (decidedUntil === null || ends.some(([end]) => end === decidedUntil)) return ends
  return [[decidedUntil, await momentText(decidedUntil)] as const, ...ends]
}
