import type { ReactNode } from 'react'
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
export async function Fact({ term, copy, children }: Props) {
  const { common } = await currentMessages()
  return (
    <div className="contents">
      <dt className="text-muted max-sm:mt-1 max-sm:text-small sm:py-1">{term}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2 [overflow-wrap:anywhere] sm:py-1">
        {copy === undefined ? children : <code className="code">{children}</code>}
        {copy !== undefined && (
          <CopyButton text={copy} label={common.copy} doneLabel={common.copied} />
        )}
      </dd>
    </div>
  )
}
