import { When } from '@/app/_ui/when'
import { EnabledBadge } from './enabled'
import type { Column } from './table'

/** Columns that many tables have. */

export function enabledColumn(label: string): Column<{ enabled: boolean }> {
  return { id: 'state', label, cell: ({ enabled }) => <EnabledBadge enabled={enabled} /> }
}

export function createdColumn(label: string, id = 'created'): Column<{ createdAt: string }> {
  return { id, label, sort: 'createdAt', cell: ({ createdAt }) => <When at={createdAt} /> }
}

export function updatedColumn(label: string): Column<{ updatedAt: string }> {
  const cell = ({ updatedAt }: { updatedAt: string }) => <When at={updatedAt} />
  return { id: 'updated', label, sort: 'updatedAt', cell }
}

/** A name that machines read. */
export function Mono({ children }: { children: string }) {
  return <code className="font-mono text-small">{children}</code>
}

/** The same where it stands out. */
export function Code({ children }: { children: string }) {
  return <code className="code">{children}</code>
}
