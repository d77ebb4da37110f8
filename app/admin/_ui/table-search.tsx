import { buttonClass } from '@/app/_ui/button'
import { withQuery } from '@/lib/admin/api'
import type { ChoiceKind, TypedChoice } from '@/lib/admin/choice'
import { keptOf, type ListQuery } from '@/lib/admin/list'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { ChooseFilter, searchSource } from './choose'

/** Of few, all are shown; of many, one is found by its name. */
export type Filter = { name: string; label: string } & (
  | { options: readonly (readonly [value: string, label: string])[]; none?: string }
  | { kind: ChoiceKind; meant: TypedChoice | undefined }
)

type Props = {
  path: string
  asked: ListQuery
  filters: readonly Filter[]
  searchable: boolean
  columns: readonly { id: string; label: string; shown: boolean; sort?: string }[]
}

/** A plain form whose fields are the list's address. */
export async function TableSearch({ path, asked, filters, searchable, columns }: Props) {
  const { table } = (await currentMessages()).admin
  const kept = keptOf(
    asked,
    filters.map(({ name }) => name),
  )
  return (
    <search title={table.keys}>
      <form action={path} className="flex flex-wrap items-end gap-x-3 gap-y-2">
        {Object.entries(kept).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {searchable && (
          <label className="grid min-w-0 flex-1 basis-56 gap-1 text-small">
            <span className="text-muted">{table.search}</span>
            <input
              type="search"
              name="q"
              maxLength={200}
              defaultValue={asked.q}
              data-table-search
              className={`${controlClass} w-full`}
            />
          </label>
        )}
        {filters.map((filter) => (
          <FilterField key={filter.name} filter={filter} chosen={asked[filter.name] ?? ''} />
        ))}
        <Order columns={columns} chosen={asked.sort ?? ''} />
        {columns.length > 0 && <Columns columns={columns} />}
        <button type="submit" className={`${buttonClass('quiet')} min-h-10! py-1!`}>
          {table.apply}
        </button>
        <a
          href={withQuery(path, kept)}
          className="inline-flex min-h-10 items-center text-link text-small"
        >
          {table.reset}
        </a>
      </form>
    </search>
  )
}

async function FilterField({ filter, chosen }: { filter: Filter; chosen: string }) {
  const { table } = (await currentMessages()).admin
  if ('kind' in filter) {
    const { kind, ...rest } = filter
    return (
      <div className="basis-44 max-md:flex-1">
        <ChooseFilter source={searchSource(kind)} value={chosen} {...rest} />
      </div>
    )
  }
  return (
    <label className="grid gap-1 text-small">
      <span className="text-muted">{filter.label}</span>
      <select name={filter.name} defaultValue={chosen} className={controlClass}>
        <option value="">{filter.none ?? table.any}</option>
        {filter.options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}

/** On a phone, where there are no heads of columns to press; elsewhere it keeps the order. */
async function Order({ columns, chosen }: Pick<Props, 'columns'> & { chosen: string }) {
  const { table } = (await currentMessages()).admin
  const options = columns.flatMap(({ label: column, sort }) =>
    sort === undefined
      ? []
      : ([
          [sort, fill(table.sortUp, { column })],
          [`-${sort}`, fill(table.sortDown, { column })],
        ] as const),
  )
  if (options.length === 0) return null
  const filter = { name: 'sort', label: table.sort, options, none: table.sortUsual }
  return (
    <div className="md:hidden">
      <FilterField filter={filter} chosen={chosen} />
    </div>
  )
}

async function Columns({ columns }: Pick<Props, 'columns'>) {
  const { table } = (await currentMessages()).admin
  return (
    <details className="relative text-small max-md:hidden">
      <summary className="flex min-h-10 cursor-pointer items-center text-muted">
        {table.columns}
      </summary>
      <fieldset className="absolute end-0 z-10 grid w-max gap-1 rounded-control border border-line bg-raised p-3 shadow-control">
        <legend className="sr-only">{table.columns}</legend>
        {columns.map(({ id, label, shown }) => (
          <label key={id} className="flex min-h-7 items-center gap-2">
            <input type="checkbox" name="show" value={id} defaultChecked={shown} />
            {label}
          </label>
        ))}
      </fieldset>
    </details>
  )
}

const controlClass =
  'min-h-10 rounded-control border border-edge bg-raised px-3 text-body text-ink hover:border-ink'
