import type { ReactNode } from 'react'

type Props = { href: string; children: ReactNode; name?: string }

/**
 * A way off the page that does not compete with its button; tall enough to be hit with a thumb.
 * `name` is what it is called aloud.
 */
export function QuietLink({ href, children, name }: Props) {
  return (
    <a
      href={href}
      aria-label={name}
      className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-4 hover:text-accent-strong"
    >
      {children}
    </a>
  )
}
