import type { ReactNode } from 'react'
import { buttonClass } from '@/app/_ui/button'
import { currentMessages } from '@/lib/browser/locale'

type Props = { path: string; label: string; q: string; children?: ReactNode }

/** A search outside a table: what is looked for is in the address. `children`: further fields. */
export async function SearchBox({ path, label, q, children }: Props) {
  const { common } = await currentMessages()
  return (
    <search>
      <form action={path} className="flex flex-wrap items-end gap-x-3 gap-y-2">
        {children}
        <label className="grid min-w-0 max-w-96 flex-1 basis-56 gap-1 text-small">
          <span className="text-muted">{label}</span>
          <input
            type="search"
            name="q"
            maxLength={200}
            defaultValue={q}
            className="min-h-10 w-full rounded-control border border-edge bg-raised px-3 text-body text-ink hover:border-ink"
          />
        </label>
        <button type="submit" className={`${buttonClass('quiet')} min-h-10! py-1!`}>
          {common.search}
        </button>
      </form>
    </search>
  )
}
