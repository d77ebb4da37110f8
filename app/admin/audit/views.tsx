import { QuietSubmit } from '@/app/_ui/quiet-submit'
import type { AuditViewWire } from '@/lib/api/records/audit-views'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { AdminForm, TextInput } from '../_ui/form'
import { deleteView, saveView } from './actions'

type Props = { views: readonly AuditViewWire[]; query: string }

/** Filters under a name; what is shown now can be kept as one. */
export async function Views({ views, query }: Props) {
  const { views: words } = (await currentMessages()).admin.audit
  if (views.length === 0 && query === '') return null
  return (
    <section aria-label={words.title} className="flex flex-wrap items-start gap-x-6 gap-y-2">
      {views.length > 0 && <Kept views={views} query={query} />}
      {query !== '' && <Keep query={query} />}
      {views.length > 0 && <Forget views={views} />}
    </section>
  )
}

function Kept({ views, query }: Props) {
  return (
    <ul className="flex flex-wrap gap-2">
      {views.map((view) => (
        <li key={view.id}>
          <a
            href={`/admin/audit?${view.query}`}
            aria-current={view.query === query ? 'true' : undefined}
            className="flex min-h-9 items-center rounded-control border border-edge px-3 text-small hover:bg-wash aria-[current]:border-accent aria-[current]:bg-wash aria-[current]:font-semibold"
          >
            {view.name}
          </a>
        </li>
      ))}
    </ul>
  )
}

async function Keep({ query }: { query: string }) {
  const { admin, common } = await currentMessages()
  const { views: words } = admin.audit
  const form = { submit: words.save, busy: words.saving, problem: common.problem }
  return (
    <details className="group">
      <summary className={summaryClass}>{words.keep}</summary>
      <div className="mt-2 max-w-[26rem] rounded-panel border border-line bg-raised p-4">
        <AdminForm action={saveView} words={form} hidden={{ query }}>
          <TextInput name="name" label={words.name} />
        </AdminForm>
      </div>
    </details>
  )
}

async function Forget({ views }: Pick<Props, 'views'>) {
  const { views: words } = (await currentMessages()).admin.audit
  return (
    <details>
      <summary className={summaryClass}>{words.manage}</summary>
      <ul className="mt-2 grid gap-2 rounded-panel border border-line bg-raised p-4">
        {views.map(({ id, name }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-4">
            <span className="[overflow-wrap:anywhere]">{name}</span>
            <form action={deleteView}>
              <input type="hidden" name="id" value={id} />
              <QuietSubmit
                label={words.remove}
                busyLabel={words.removing}
                name={fill(words.removeNamed, { name })}
              />
            </form>
          </li>
        ))}
      </ul>
    </details>
  )
}

const summaryClass = 'flex min-h-9 w-fit cursor-pointer items-center text-link text-small'
