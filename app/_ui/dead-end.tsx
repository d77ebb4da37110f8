'use client'

import { EmptyState } from './empty-state'
import { FailureFrame } from './failure-frame'
import { LinkButton } from './link-button'

type Props = { name: string; title: string; text: string; back: string }

/**
 * Nothing to see at this address. Next.js puts the pages *not found* and *forbidden* into every
 * page, twice each; as a component of the browser only their words are in its data.
 */
export function DeadEnd({ name, title, text, back }: Props) {
  return (
    <FailureFrame name={name}>
      <EmptyState title={title} text={text}>
        <div>
          <LinkButton href="/">{back}</LinkButton>
        </div>
      </EmptyState>
    </FailureFrame>
  )
}
