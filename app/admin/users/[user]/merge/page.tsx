import { QuietLink } from '@/app/_ui/quiet-link'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { When } from '@/app/_ui/when'
import { adminPage } from '@/lib/admin/api'
import { foundIn, meantBy } from '@/lib/admin/choice'
import { type MergePreview, previewMerge } from '@/lib/api/users/merge'
import { getUser, type UserWire } from '@/lib/api/users/users'
import { errorText, problemText } from '@/lib/browser/api-form'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { Choose } from '../../../_ui/choose'
import { Fact, Facts } from '../../../_ui/facts'
import { AdminForm, Check, TextInput, Ticks } from '../../../_ui/form'
import { UserFrame } from '../user-frame'
import { mergeUsers } from './actions'

export const generateMetadata = pageTitle(({ admin }) => admin.users.merge.title)

export default async function MergeUsersPage({ params, searchParams }: PageProps<'user'>) {
  const api = await adminPage('/admin/users/[user]/merge')
  const { user: id } = await params
  const { from } = await searchParams
  const { admin } = await currentMessages()
  const { merge: words } = admin.users
  const user = await api.get(getUser, { params: { user: id } })
  const meant = typeof from === 'string' ? await meantBy(api, 'user', from) : undefined
  const other = foundIn(meant)
  const asked = other && { params: { user: user.id }, body: { from: other.id } }
  const preview = asked && (await api.send(previewMerge, asked))
  const refusal = preview?.ok === false ? preview.problem : null
  const [error] = refusal?.errors ?? []
  return (
    <UserFrame api={api} user={user} tab="/edit" done={undefined}>
      <Section title={words.title} text={words.about}>
        <form method="get" className="grid max-w-[38rem] justify-items-start gap-4">
          <div className="w-full">
            <Choose
              name="from"
              kind="user"
              label={words.other}
              hint={words.otherHint}
              meant={meant}
            />
          </div>
          <QuietSubmit label={words.show} busyLabel={words.showing} />
        </form>
        {refusal && (
          <p role="alert" className="font-medium text-danger">
            {error ? errorText(error, admin.problems) : problemText(refusal, admin.problems)}
          </p>
        )}
      </Section>
      {preview?.ok && <Preview preview={preview.body} />}
    </UserFrame>
  )
}

type Part = { preview: MergePreview }

async function Preview({ preview }: Part) {
  const { merge: words } = (await currentMessages()).admin.users
  const { kept, removed } = preview
  return (
    <>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Account title={fill(words.stays, { name: calledIn(kept) })} user={kept} />
        <Account title={fill(words.goes, { name: calledIn(removed) })} user={removed} />
      </div>
      <p>
        <QuietLink href={`/admin/users/${removed.id}/merge?from=${kept.id}`}>
          {words.swap}
        </QuietLink>
      </p>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Moves preview={preview} />
        <Ends preview={preview} />
      </div>
      <Decide preview={preview} />
    </>
  )
}

async function Account({ title, user }: { title: string; user: UserWire }) {
  const { users: words } = (await currentMessages()).admin
  const { name, email, emailVerified, username, createdAt } = user
  return (
    <Section title={title}>
      <Facts>
        <Fact term={words.name}>{name ?? '–'}</Fact>
        <Fact term={words.email}>
          {email ?? '–'}
          {email !== null && ` · ${words.overview[emailVerified ? 'verified' : 'notVerified']}`}
        </Fact>
        <Fact term={words.username}>{username ?? '–'}</Fact>
        <Fact term={words.created}>
          <When at={createdAt} full />
        </Fact>
        <Fact term="ID" copy={user.id}>
          {user.id}
        </Fact>
      </Facts>
    </Section>
  )
}

function calledIn({ name, email, username, id }: UserWire): string {
  return name ?? email ?? username ?? id
}

async function Moves({ preview: { moves } }: Part) {
  const { merge: words } = (await currentMessages()).admin.users
  return (
    <Section title={words.movesTitle}>
      {moves.length === 0 && <p className="text-muted">{words.movesNone}</p>}
      <Facts>
        {moves.map(({ what, count, names }) => (
          <Fact key={what} term={words.moves[what]}>
            <Named count={count} names={names} />
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}

async function Ends({ preview: { ends } }: Part) {
  const { merge: words } = (await currentMessages()).admin.users
  return (
    <Section title={words.endsTitle} text={words.endsText}>
      <Facts>
        {ends.map(({ what, count, names }) => (
          <Fact key={what} term={words.ends[what]}>
            <Named count={count} names={names} />
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}

async function Named({ count, names }: { count: number; names: string[] }) {
  const { merge: words } = (await currentMessages()).admin.users
  const shown = names.filter((name) => name !== '').join(', ')
  const number = plural(await currentLocale(), words.count, count)
  return shown === '' ? number : `${shown}${count > names.length ? ` (${number})` : ''}`
}

async function Decide({ preview }: Part) {
  const { admin, common } = await currentMessages()
  const { merge: words } = admin.users
  const { kept, removed, fields, confirm } = preview
  const hidden = {
    ...{ user: kept.id, from: removed.id, preview: preview.preview },
    name: removed.email ?? removed.username ?? removed.id,
  }
  const texts = { submit: words.submit, busy: words.merging, problem: common.problem }
  return (
    <section className="grid gap-5 rounded-panel border border-danger px-5 py-5 sm:px-6">
      <h2 className="font-semibold text-danger text-lead">{words.submit}</h2>
      <AdminForm action={mergeUsers} words={texts} hidden={hidden}>
        {fields.length > 0 && (
          <fieldset className="grid gap-3">
            <legend className="mb-3 font-semibold">{words.take}</legend>
            <Ticks name="take">
              {fields.map(({ name, kept: own, removed: theirs }) => (
                <Check
                  key={name}
                  name="take"
                  value={name}
                  checked={own === null && name !== 'adminRole'}
                  label={fill(words.takeOne, {
                    field: labelOf(name, admin.users),
                    value: shown(theirs),
                  })}
                  {...(own !== null && { hint: fill(words.insteadOf, { value: shown(own) }) })}
                />
              ))}
            </Ticks>
          </fieldset>
        )}
        {confirm.length > 0 && (
          <fieldset className="grid gap-3 rounded-control border border-warn px-4 py-4">
            <legend className="px-1 font-semibold">{words.doubtsTitle}</legend>
            <Ticks name="confirm">
              {confirm.map((doubt) => (
                <Check
                  key={doubt}
                  name="confirm"
                  value={doubt}
                  label={words.doubts[doubt].label}
                  hint={words.doubts[doubt].text}
                />
              ))}
            </Ticks>
          </fieldset>
        )}
        <TextInput name="typed" label={fill(admin.form.typeName, { name: hidden.name })} />
      </AdminForm>
    </section>
  )
}

type Words = Awaited<ReturnType<typeof currentMessages>>['admin']['users']

/** As the form of the profile calls it; an attribute by its key. */
function labelOf(field: string, words: Words): string {
  const own: Record<string, string> = { ...words.claims, ...words.merge.fields }
  return own[field.replace(/^profile\./, '')] ?? field.replace(/^attributes\./, '')
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
