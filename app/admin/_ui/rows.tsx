import type { ReactNode } from 'react'

type Row = {
  key: string
  title: ReactNode
  facts: readonly (readonly [term: string, value: ReactNode])[]
  action: ReactNode
}

/** A short list with something to do at the end of each line. */
export function Rows({ children, none }: { children: readonly Row[]; none: string }) {
  if (children.length === 0) return <p className="text-muted">{none}</p>
  return (
    <ul className="grid divide-y divide-line border-line border-y">
      {children.map(({ key, title, facts, action }) => (
        <li key={key} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
          <div className="grid min-w-0 gap-0.5">
            <h3 className="font-semibold [overflow-wrap:anywhere]">{title}</h3>
            <p className="flex flex-wrap gap-x-4 text-muted text-small">
              {facts.map(([term, value]) => (
                <span key={term} className="[overflow-wrap:anywhere]">
                  {term}
                  {value !== '' && <>: {value}</>}
                </span>
              ))}
            </p>
          </div>
          {action}
        </li>
      ))}
    </ul>
  )
}
