import { use } from 'react'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { StateBadge } from './state-badge'
import type { Filter } from './table-search'

/** Not `async`: a table has one in each row, and each would be a piece of its own in the page. */
export function EnabledBadge({ enabled }: { enabled: boolean }) {
  const { admin } = use(currentMessages())
  return (
    <StateBadge tone={enabled ? 'good' : 'bad'}>
      {enabled ? admin.enabled : admin.disabled}
    </StateBadge>
  )
}

export function enabledFilter(label: string, admin: Messages['admin']): Filter {
  const options = [
    ['true', admin.enabled],
    ['false', admin.disabled],
  ] as const
  return { name: 'enabled', label, options }
}
