import type { ComponentProps, ReactNode } from 'react'
import type { AdminApi } from '@/lib/admin/api'
import type { NavigationPath } from '@/lib/admin/pages'
import { Empty } from './empty'
import { AdminFrame } from './frame'
import { DataTable } from './table'

type TableProps<Row> = ComponentProps<typeof DataTable<Row>>

type Props<Row> = Omit<TableProps<Row>, 'path' | 'keyOf' | 'nameOf' | 'hrefOf' | 'empty'> & {
  api: AdminApi
  page: NavigationPath
  /** Where it is not the page of the navigation. */
  path?: string
  above?: { href: string; label: string }
  words: { title: string; intro: string; emptyTitle: string; empty: string }
  nameOf?(row: Row): string
  /** What makes the first one, and the next. */
  create: ReactNode
  /** False if that stands only where there is nothing yet. */
  isCreateOnTop?: boolean
}

/** A page that is a list of one kind of things, each with a page of its own below it. */
export function ListPage<Row extends { id: string; name: string | null }>(props: Props<Row>) {
  const { api, page, path = page, above, words, create, isCreateOnTop = true, ...table } = props
  return (
    <AdminFrame
      api={api}
      page={page}
      title={words.title}
      intro={words.intro}
      {...(above && { above })}
      done={table.params.done}
      action={isCreateOnTop && create}
    >
      <DataTable
        nameOf={({ name }) => name ?? ''}
        {...table}
        path={path}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `${path}/${encodeURIComponent(id)}`}
        empty={
          <Empty title={words.emptyTitle} text={words.empty}>
            {create}
          </Empty>
        }
      />
    </AdminFrame>
  )
}
