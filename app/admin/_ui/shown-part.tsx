import { withQuery } from '@/lib/admin/api'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'

/** A list may have thousands of members: a page shows the first of them, and more on request. */

const STEP = 100

/** `asked`: the value of a query parameter, from anybody. */
export function shownCount(asked: unknown): number {
  const count = typeof asked === 'string' && /^\d{1,5}$/.test(asked) ? Number(asked) : 0
  return Math.max(STEP, count)
}

type Props = {
  total: number
  shown: number
  path: string
  /** The parameter that `shownCount` reads, which also is the ID of the section. */
  name: string
}

export async function ShowMore({ total, shown, path, name }: Props) {
  if (total <= shown) return null
  const { more } = (await currentMessages()).admin.users.permissions
  const href = `${withQuery(path, { [name]: shown + STEP })}#${name}`
  return (
    <a href={href} className="text-link">
      {fill(more, { shown: String(shown), total: String(total) })}
    </a>
  )
}
