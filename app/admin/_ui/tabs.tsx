type Tab = { href: string; label: string; current: boolean }

/** The parts of something that has several pages. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label} className="border-line border-b">
      <ul className="-mb-px flex flex-wrap gap-x-0.5">
        {tabs.map(({ href, label: text, current }) => (
          <li key={href}>
            <a href={href} aria-current={current ? 'page' : undefined} className="tab">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

type Part<P extends string> = { part: P; label: string; open?: boolean }

/** The pages below one address; those that are not open to somebody are not there. */
export function tabsAt<P extends string>(at: string, current: P, parts: readonly Part<P>[]): Tab[] {
  return parts
    .filter(({ open = true }) => open)
    .map(({ part, label }) => ({ href: `${at}${part}`, label, current: part === current }))
}
