import type { ReactNode } from 'react'
import { buttonClass } from '@/app/_ui/button'
import { type Page, withQuery } from '@/lib/admin/api'
import type { ListQuery } from '@/lib/admin/list'
import { MAX_COUNTED } from '@/lib/api/http/page'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import type { SearchParams } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { numberFormat } from '@/lib/i18n/formats'
import { SelectAll } from './select-all'
import { TableKeys } from './table-keys'
import { type TableRow, TableRows } from './table-rows'
import { type Filter, TableSearch } from './table-search'

/** A list of the API: search, order, filters, columns and page are its address. */

export type Column<Row> = {
  id: string
  label: string
  /** The field that the API sorts by. */
  sort?: string
  cell(row: Row): ReactNode
}

type Props<Row> = {
  path: string
  asked: ListQuery
  params: SearchParams
  list: Page<Row>
  columns: readonly Column<Row>[]
  keyOf(row: Row): string
  /** What a row is called, and where it leads. */
  nameOf(row: Row): string
  hrefOf?(row: Row): string
  filters?: readonly Filter[]
  searchable?: boolean
  /** The order of the API where none is asked for. */
  usualSort?: string
  /** A page that shows what is selected and asks: it gets `id` for each, and `do`. */
  bulk?: { page: string; options: readonly (readonly [value: string, label: string])[] }
  /** Shown where nothing was ever there. */
  empty: ReactNode
  exports?: readonly (readonly [format: string, href: string])[]
}

export async function DataTable<Row>(props: Props<Row>) {
  const { list, asked, bulk, searchable = true, filters = [], columns } = props
  const isFiltered = ['q', 'cursor', ...filters.map(({ name }) => name)].some((n) => asked[n])
  if (list.data.length === 0 && !isFiltered) return props.empty
  const shown = shownColumns(props)
  return (
    <div data-table className="group/table grid grid-cols-[minmax(0,1fr)] gap-4">
      {(searchable || filters.length > 0) && (
        <TableSearch
          path={props.path}
          asked={asked}
          filters={filters}
          searchable={searchable}
          columns={columns.map(({ id, label, sort }) => ({
            id,
            label,
            shown: shown.has(id),
            ...(sort !== undefined && { sort }),
          }))}
        />
      )}
      {list.data.length === 0 ? (
        <NothingFound />
      ) : (
        <form action={bulk?.page} className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <Rows {...props} columns={columns.filter(({ id }) => shown.has(id))} />
          {bulk && <Bulk options={bulk.options} />}
        </form>
      )}
      <Foot {...props} />
      <TableKeys loading={(await currentMessages()).admin.table.loading} />
    </div>
  )
}

function shownColumns<Row>({ params, columns }: Props<Row>): ReadonlySet<string> {
  const chosen = [params.show ?? []].flat()
  const known = columns.map(({ id }) => id).filter((id) => chosen.includes(id))
  return new Set(known.length > 0 ? known : columns.map(({ id }) => id))
}

async function NothingFound() {
  const { table } = (await currentMessages()).admin
  return (
    <div className="rounded-panel border border-line bg-raised px-6 py-10 text-center">
      <p className="font-semibold">{table.none}</p>
      <p className="text-muted">{table.noneHint}</p>
    </div>
  )
}

/** On a phone each row is a card. */
async function Rows<Row>(props: Props<Row>) {
  const { columns, bulk } = props
  const { table } = (await currentMessages()).admin
  return (
    <div className="overflow-x-auto rounded-panel border border-line bg-raised">
      <table className="w-full border-collapse text-start max-md:block">
        <thead className="max-md:hidden">
          <tr className="border-line border-b text-small text-muted">
            {bulk && (
              <td className="w-12 ps-1">
                <SelectAll label={table.selectAll} />
              </td>
            )}
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} {...props} />
            ))}
          </tr>
        </thead>
        <TableRows
          rows={rowsOf(props)}
          labels={columns.map(({ label }) => label)}
          select={bulk && table.select}
        />
      </table>
    </div>
  )
}

async function HeadCell<Row>({
  column: { label, sort },
  asked,
  usualSort,
  path,
  params,
}: Props<Row> & { column: Column<Row> }) {
  const { table } = (await currentMessages()).admin
  const sorted = asked.sort ?? usualSort
  const current = sorted?.replace(/^-/, '') === sort && sort !== undefined
  const falling = sorted?.startsWith('-') ?? false
  const order = falling ? ('descending' as const) : ('ascending' as const)
  const next = current && !falling ? `-${sort}` : sort
  return (
    <th
      scope="col"
      aria-sort={current ? order : undefined}
      className="whitespace-nowrap px-4 py-2 text-start font-semibold"
    >
      {sort === undefined ? (
        label
      ) : (
        <a
          href={withShown(withQuery(path, { ...asked, cursor: '', sort: next }), params)}
          title={fill(table.sortBy, { column: label })}
          className="inline-flex min-h-8 items-center gap-1 hover:text-ink hover:underline"
        >
          {label}
          <span aria-hidden="true" className={current ? 'text-ink' : 'text-edge'}>
            {current ? (falling ? '↓' : '↑') : '↕'}
          </span>
        </a>
      )}
    </th>
  )
}

/** What a row of the browser needs; its elements are those of `TableRows`. */
function rowsOf<Row>({ list, columns, bulk, keyOf, nameOf, hrefOf }: Props<Row>): TableRow[] {
  return list.data.map((row) => ({
    key: keyOf(row),
    ...(bulk && { name: nameOf(row) }),
    ...(hrefOf && { href: hrefOf(row) }),
    cells: columns.map(({ cell }) => cell(row)),
  }))
}

async function Bulk({ options }: { options: readonly (readonly [string, string])[] }) {
  const { table } = (await currentMessages()).admin
  return (
    <div
      data-bulk
      className="sticky bottom-0 z-10 flex flex-wrap items-center gap-3 rounded-panel border border-accent bg-raised px-4 py-2 text-small"
    >
      <label htmlFor="do">{table.selected}</label>
      <select
        id="do"
        name="do"
        className="min-h-9 rounded-control border border-edge bg-raised px-2 text-ink"
      >
        {options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <button type="submit" className={`${buttonClass('quiet')} min-h-9! py-1! text-small!`}>
        {table.go}
      </button>
    </div>
  )
}

async function Foot<Row>({ list: { page }, path, asked, params, exports = [] }: Props<Row>) {
  const { table } = (await currentMessages()).admin
  const at = (cursor: string) => withShown(withQuery(path, { ...asked, cursor }), params)
  const { next, previous, total } = page
  const words = (total ?? 0) >= MAX_COUNTED ? table.totalMost : table.total
  if (total === undefined && !next && !previous && exports.length === 0) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-small">
      <p className="text-muted">
        {total !== undefined &&
          fill(words, { count: numberFormat(await currentLocale()).format(total) })}
      </p>
      <nav aria-label={table.pages} className="flex flex-wrap gap-x-5 gap-y-1">
        {previous !== null && <PageLink href={at('')}>{table.first}</PageLink>}
        {previous !== null && <PageLink href={at(previous)}>{table.previous}</PageLink>}
        {next !== null && <PageLink href={at(next)}>{table.next}</PageLink>}
        {exports.map(([format, href]) => (
          <PageLink key={format} href={href}>
            {fill(table.export, { format })}
          </PageLink>
        ))}
      </nav>
    </div>
  )
}

function PageLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} className="inline-flex min-h-9 items-center text-link">
      {children}
    </a>
  )
}

/** The chosen columns stay chosen. */
function withShown(href: string, { show }: SearchParams): string {
  const chosen = [show ?? []].flat().map((id) => `show=${encodeURIComponent(id)}`)
  if (chosen.length === 0) return href
  return `${href}${href.includes('?') ? '&' : '?'}${chosen.join('&')}`
}
