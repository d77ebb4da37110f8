import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { When } from '@/app/_ui/when'
import { adminPage } from '@/lib/admin/api'
import { askedOf } from '@/lib/admin/list'
import { type AppPersonWire, listApplicationPeople } from '@/lib/api/applications/people'
import { currentMessages } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { Code } from '../../../_ui/columns'
import { Empty } from '../../../_ui/empty'
import { type Column, DataTable } from '../../../_ui/table'
import { AppFrame, readApp, tabTitle } from '../../app-frame'
import { removePerson } from './actions'

export const generateMetadata = tabTitle('people')

type Words = Messages['admin']['applications']['people']

export default async function PeoplePage({ params, searchParams }: PageProps<'app'>) {
  const api = await adminPage('/admin/applications/[app]/people')
  const { body: app } = await readApp(api, (await params).app)
  const query = await searchParams
  const asked = askedOf(query)
  const { admin } = await currentMessages()
  const { people: words } = admin.applications
  const list = await api.get(listApplicationPeople, {
    params: { id: app.id },
    query: { count: true, ...asked },
  })
  const seesUsers = api.may('users:read')
  const columns = columnsOf(words, admin.never, seesUsers)
  const path = `/admin/applications/${encodeURIComponent(app.id)}/people`
  const remove: Column<AppPersonWire> = {
    id: 'remove',
    label: words.removeColumn,
    cell: (person) => (
      <a
        href={`${path}?remove=${person.id}#remove`}
        aria-label={fill(words.removeNamed, { name: nameOf(person) })}
        className="whitespace-nowrap font-semibold text-danger text-small underline underline-offset-4"
      >
        {words.remove}
      </a>
    ),
  }
  const mayWrite = api.may('applications:write')
  const leaving = mayWrite && list.data.find(({ id }) => id === query.remove)
  return (
    <AppFrame api={api} app={app} tab="people" intro={words.intro} done={query.done}>
      {!seesUsers && <p className="text-muted">{words.sharedOnly}</p>}
      {leaving && <Removing app={app.id} person={leaving} words={words} />}
      <DataTable
        path={path}
        asked={asked}
        params={query}
        list={list}
        columns={mayWrite ? [...columns, remove] : columns}
        usualSort="name"
        keyOf={({ id }) => id}
        nameOf={nameOf}
        {...(seesUsers && { hrefOf: ({ id }: AppPersonWire) => `/admin/users/${id}` })}
        empty={<Empty title={words.emptyTitle} text={words.empty} />}
      />
    </AppFrame>
  )
}

function nameOf({ id, name, email }: AppPersonWire): string {
  return name ?? email ?? id
}

function whoColumns(words: Words): Column<AppPersonWire>[] {
  return [
    {
      id: 'name',
      label: words.name,
      sort: 'name',
      cell: ({ name, email }) => name ?? email ?? words.noName,
    },
    { id: 'email', label: words.email, sort: 'email', cell: ({ email }) => email },
  ]
}

/** What was not shared is no order either. */
function sharedColumns(words: Words): Column<AppPersonWire>[] {
  const notShared = <span className="text-muted">{words.notShared}</span>
  return [
    { id: 'id', label: words.id, cell: ({ id }) => <Code>{id}</Code> },
    { id: 'name', label: words.name, cell: ({ name }) => name ?? notShared },
    { id: 'email', label: words.email, cell: ({ email }) => email ?? notShared },
  ]
}

function columnsOf(words: Words, never: string, seesUsers: boolean): Column<AppPersonWire>[] {
  return [
    ...(seesUsers ? whoColumns(words) : sharedColumns(words)),
    { id: 'granted', label: words.agreed, cell: ({ granted }) => <Scopes of={granted} /> },
    { id: 'refused', label: words.refused, cell: ({ refused }) => <Scopes of={refused} /> },
    {
      id: 'when',
      label: words.when,
      cell: ({ decidedAt }) => decidedAt && <When at={decidedAt} />,
    },
    { id: 'tokens', label: words.tokens, cell: ({ liveTokens }) => String(liveTokens) },
    {
      id: 'last',
      label: words.lastSignIn,
      cell: ({ lastSignInAt }) => (lastSignInAt === null ? never : <When at={lastSignInAt} />),
    },
  ]
}

function Scopes({ of }: { of: readonly string[] }) {
  if (of.length === 0) return '–'
  return <code className="code">{of.join(' ')}</code>
}

type RemovingProps = { app: string; person: AppPersonWire; words: Words }

/** The list is a form of its own, so the question stands before it. */
function Removing({ app, person, words }: RemovingProps) {
  const name = fill(words.removeNamed, { name: nameOf(person) })
  return (
    <section
      id="remove"
      className="grid gap-3 rounded-panel border border-danger bg-danger-wash px-5 py-4"
    >
      <h2 className="font-semibold text-danger">{name}</h2>
      <p>{words.removeText}</p>
      <form action={removePerson} className="flex flex-wrap items-center gap-4">
        <input type="hidden" name="id" value={app} />
        <input type="hidden" name="user" value={person.id} />
        <QuietSubmit label={name} busyLabel={words.removing} />
      </form>
    </section>
  )
}
