import { type ReactNode, use } from 'react'
import { CopyButton } from '@/app/_ui/copy-button'
import { currentMessages } from '@/lib/browser/locale'

export function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid items-baseline gap-x-8 gap-y-2 sm:grid-cols-[minmax(8rem,max-content)_minmax(0,1fr)]">
      {children}
    </dl>
  )
}

type Props = { term: string; copy?: string; children: ReactNode }

/** `copy`: the text of a value that people carry elsewhere. */
export function Fact({ term, copy, children }: Props) {
  const { common } = use(currentMessages())
  return (
    <div className="contents">
      <dt className="fact-term">{term}</dt>
      <dd className="fact-value">
        {copy === undefined ? children : <code className="code">{children}</code>}
        {copy !== undefined && (
          <CopyButton text={copy} label={common.copy} doneLabel={common.copied} />
        )}
      </dd>
    </div>
  )
}
