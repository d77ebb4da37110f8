import type { Page } from '@/lib/admin/api'
import { currentMessages } from '@/lib/browser/locale'

type Props = { page: Page<unknown>['page']; hrefOf(cursor: string): string }

/** The pages beside this one, of a list that is not a table. */
export async function Pages({ page: { next, previous }, hrefOf }: Props) {
  const { table } = (await currentMessages()).admin
  if (next === null && previous === null) return null
  return (
    <nav aria-label={table.pages} className="flex gap-5 text-small">
      {previous !== null && (
        <a href={hrefOf(previous)} className="inline-flex min-h-9 items-center text-link">
          {table.previous}
        </a>
      )}
      {next !== null && (
        <a href={hrefOf(next)} className="inline-flex min-h-9 items-center text-link">
          {table.next}
        </a>
      )}
    </nav>
  )
}
