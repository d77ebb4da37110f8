import type { ReactNode } from 'react'

type Props = {
  /** From 0 to 1. */
  done: number
  /** What makes progress, for a screen reader. */
  label: string
  /** The same in words. */
  text: string
  /** A button or a link beside it. */
  children: ReactNode
}

/** How far a pass over everybody has come. */
export function Progress({ done, label, text, children }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <progress
        value={done}
        max={1}
        aria-label={label}
        className="h-2 min-w-40 flex-1 appearance-none overflow-hidden rounded-full border border-edge bg-raised [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
      />
      <span className="text-small">{text}</span>
      {children}
    </div>
  )
}

/** In whole percent, rounded down: 100 only at the end. */
export function percentOf(done: number): string {
  return String(Math.floor(done * 100))
}
