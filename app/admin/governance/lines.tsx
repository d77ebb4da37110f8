import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import type { AccessRequestWire } from '@/lib/api/requests/wire'
import type { ReviewWire } from '@/lib/api/reviews/wire'
import { momentText } from '@/lib/browser/clock'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { Rows } from '../_ui/rows'

/** What waits, one line for each, with where something is done about it. */

type Line = { key: string; title: string; facts: string[]; href: string; action: string }

type Props = { title: string; none: string; lines: readonly Line[] }

export function Lines({ title, none, lines }: Props) {
  return (
    <Section title={title}>
      <Rows none={none}>
        {lines.map(({ key, title: name, facts, href, action }) => ({
          key,
          title: name,
          facts: facts.map((fact) => [fact, ''] as const),
          action: (
            <QuietLink href={href} name={`${action}: ${name}`}>
              {action}
            </QuietLink>
          ),
        }))}
      </Rows>
    </Section>
  )
}

async function words() {
  return (await currentMessages()).admin.governance
}

export async function toDecide(request: AccessRequestWire): Promise<Line> {
  const { decide, decideBy } = await words()
  const when = await momentText(request.stageDeadline)
  return lineOf(request, fill(decideBy, { when }), decide)
}

export async function toReview(request: AccessRequestWire): Promise<Line> {
  const { review, reviewBy, reviewLate } = await words()
  const when = await momentText(request.review?.deadline ?? '')
  return lineOf(request, fill(request.review?.missedAt ? reviewLate : reviewBy, { when }), review)
}

export async function late(request: AccessRequestWire): Promise<Line> {
  const { lateRequest, see } = await words()
  const when = await momentText(request.stageDeadline)
  return lineOf(request, fill(lateRequest, { when }), see)
}

function lineOf({ id, user, scope }: AccessRequestWire, fact: string, action: string): Line {
  return {
    key: id,
    title: `${user.name}, ${scope}`,
    facts: [fact],
    href: `/account/approvals/${id}`,
    action,
  }
}

/** For those who decide in it, and for those who follow it. */
export async function reviewLine(
  { id, name, deadline, counts }: ReviewWire,
  { decides }: { decides: boolean },
): Promise<Line> {
  const { review, see, endsSoon } = await words()
  const when = await momentText(deadline)
  const count = String(decides ? counts.mineUndecided : counts.undecided)
  return {
    key: id,
    title: name,
    facts: [fill(endsSoon, { when, count })],
    href: decides ? `/account/reviews/${id}` : `/admin/reports/reviews/${id}`,
    action: decides ? review : see,
  }
}
