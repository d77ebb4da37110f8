import type { ReviewItemWire } from '@/lib/api/reviews/wire'

type Said = {
  decision: NonNullable<ReviewItemWire['decision']>
  comment: string | null
  narrowTo?: readonly string[]
  until?: string
}

/** A decision as one text: if it is equal, nothing was changed. A field of one line has no breaks. */
export function saidText({ decision, comment, narrowTo = [], until = '' }: Said): string {
  return JSON.stringify([decision, narrowTo, until, comment?.replace(/\s/g, '') ?? ''])
}

/** What was decided when the page was made; empty if nothing was. */
export function saidOf({ decision, comment, decidedTo, decidedUntil }: ReviewItemWire): string {
  if (decision === null) return ''
  const narrower = { narrowTo: decidedTo ?? [], until: decidedUntil ?? '' }
  return saidText({ decision, comment, ...narrower })
}
