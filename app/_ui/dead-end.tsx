'use client'

import { EmptyState } from './empty-state'
import { FailureFrame } from './failure-frame'
import { LinkButton } from './link-button'
import { useDeadEnds } from './locale'

/**
 * Nothing to see at this address. Next.js puts the pages *not found* and *forbidden* into every
 * page, twice each; as a component of the browser they are only named there, and their words are in
 * the data of the layout once.
 */
export function DeadEnd({ is }: { is: 'notFound' | 'forbidden' }) {
  const words = useDeadEnds()
  if (!words) return null
  return (
    <FailureFrame name={words.name}>
      <EmptyState {...words[is]}>
        <div>
          <LinkButton href="/">{words.back}</LinkButton>
        </div>
      </EmptyState>
    </FailureFrame>
  )
}
