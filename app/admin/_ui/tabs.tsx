type Tab = { href: string; label: string; current: boolean }

type Props = { label: string; tabs: readonly Tab[]; wrap?: boolean }

/** The parts of something that has several pages: one line, unless all have to be seen at once. */
export function Tabs({ label, tabs, wrap = false }: Props) {
  return (
    <nav aria-label={label} className="overflow-x-auto border-line border-b [scrollbar-width:thin]">
      <ul className={`flex gap-x-0.5 ${wrap ? 'flex-wrap' : 'w-max whitespace-nowrap'}`}>
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
