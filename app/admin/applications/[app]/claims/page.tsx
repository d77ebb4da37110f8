import { buttonClass } from '@/app/_ui/button'
import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { foundIn, meantIn, type TypedChoice } from '@/lib/admin/choice'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import { decideScopes } from '@/lib/api/impact/dry-run'
import { getSettings } from '@/lib/api/settings/routes'
import { currentMessages } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { CLAIM_PLACES } from '@/lib/oidc/client'
import { Choose, ChooseScopes } from '../../../_ui/choose'
import { AdminForm, Check, TextInput } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { JsonBlock } from '../../../_ui/json-block'
import { AppFrame, readApp, tabTitle } from '../../app-frame'
import { saveClaims } from './actions'

export const generateMetadata = tabTitle('claims')

export default async function ClaimsPage({ params, searchParams }: PageProps<'app'>) {
  const api = await adminPage('/admin/applications/[app]/claims')
  const { body: app, version } = await readApp(api, (await params).app)
  const { done, user, scope } = await searchParams
  const { claims: words } = (await currentMessages()).admin.applications
  const asked = {
    user: typeof user === 'string' ? user : '',
    scope: typeof scope === 'string' ? scope : 'openid profile email groups roles',
  }
  const meant = await meantIn(api, { user: 'user' }, user ? { user: asked.user } : {})
  const found = foundIn(meant.user)
  return (
    <AppFrame api={api} app={app} tab="claims" intro={words.intro} done={done}>
      <Mappings api={api} app={app} version={version ?? ''} />
      <Section title={words.preview} text={words.previewText}>
        <Ask asked={asked} user={meant.user} />
        {found && <Preview api={api} app={app} asked={{ ...asked, user: found.id }} />}
      </Section>
    </AppFrame>
  )
}

type Part = { api: AdminApi; app: ApplicationWire }
type Asked = { user: string; scope: string }
type Row = { attribute: string; name: string; claim: string; in: readonly string[] }

/** What is mapped, and every other attribute that could be. */
async function rowsFor({ api, app }: Part): Promise<Row[]> {
  const { userAttributes } = await api.get(getSettings, {})
  const names = new Map(userAttributes.map(({ key, name }) => [key, name]))
  const mapped = app.claimMappings.map((mapping) => ({
    ...mapping,
    name: names.get(mapping.attribute) ?? mapping.attribute,
  }))
  const taken = new Set(mapped.map(({ attribute }) => attribute))
  const open = userAttributes.filter(({ key }) => !taken.has(key))
  return [
    ...mapped,
    ...open.map(({ key, name }) => ({ attribute: key, name, claim: '', in: ['userinfo'] })),
  ]
}

async function Mappings({ api, app, version }: Part & { version: string }) {
  const { claims: words, settings } = (await currentMessages()).admin.applications
  const rows = api.may('settings:read') ? await rowsFor({ api, app }) : []
  const hidden = {
    id: app.id,
    version,
    rows: String(rows.length),
    ...Object.fromEntries(rows.map(({ attribute }, row) => [`attribute-${row}`, attribute])),
  }
  const mayMap = api.may('applications:write') && api.may('settings:read')
  return (
    <Section title={words.title} text={words.text}>
      <div className="max-w-[46rem]">
        <AdminForm
          action={saveClaims}
          words={await formWords('save')}
          hidden={hidden}
          readOnly={!mayMap}
        >
          <Check
            name="profileInIdToken"
            {...settings.flags.profileInIdToken}
            checked={app.profileInIdToken}
          />
          {rows.length === 0 && (
            <p className="text-muted">
              {words.none}{' '}
              <a href="/admin/settings/attributes" className="text-link">
                {words.define}
              </a>
            </p>
          )}
          {rows.map((row, at) => (
            <MappingRow key={`${row.attribute} ${row.claim}`} row={row} at={at} />
          ))}
        </AdminForm>
      </div>
    </Section>
  )
}

async function MappingRow({ row, at }: { row: Row; at: number }) {
  const { claims: words } = (await currentMessages()).admin.applications
  return (
    <fieldset className="grid gap-3 border-line border-t pt-4">
      <legend className="sr-only">{row.name}</legend>
      <TextInput
        name={`claim-${at}`}
        label={fill(words.claim, { attribute: row.name })}
        defaultValue={row.claim}
      />
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {CLAIM_PLACES.map((place) => (
          <Check
            key={place}
            name={`in-${at}`}
            value={place}
            label={words.places[place]}
            checked={row.in.includes(place)}
          />
        ))}
      </div>
    </fieldset>
  )
}

async function Ask({ asked, user }: { asked: Asked; user: TypedChoice | undefined }) {
  const { claims: words } = (await currentMessages()).admin.applications
  return (
    <form className="grid max-w-[46rem] gap-4">
      <Choose {...worded(words, 'user')} kind="user" value={asked.user} meant={user} />
      <ChooseScopes name="scope" label={words.scope} hint={words.scopeHint} value={asked.scope} />
      <div>
        <button type="submit" className={buttonClass('quiet')}>
          {words.show}
        </button>
      </div>
    </form>
  )
}

async function Preview({ api, app, asked }: Part & { asked: Asked }) {
  const { claims: words } = (await currentMessages()).admin.applications
  const decided = await api.send(decideScopes, { body: { client: app.id, ...asked } })
  if (!decided.ok) return <p role="alert">{words.unknown}</p>
  const { claims, idToken, userinfo, scope_rejected: refused } = decided.body
  if (claims === null) return <p role="status">{fill(words.refused, { scopes: refused })}</p>
  return (
    <div className="grid gap-4">
      {refused !== '' && <p>{fill(words.left, { scopes: refused })}</p>}
      <h3 className="font-semibold">{words.places.access_token}</h3>
      <JsonBlock label={words.places.access_token} value={claims} />
      {idToken && (
        <>
          <h3 className="font-semibold">{words.places.id_token}</h3>
          <JsonBlock label={words.places.id_token} value={idToken} />
        </>
      )}
      {userinfo && (
        <>
          <h3 className="font-semibold">{words.places.userinfo}</h3>
          <JsonBlock label={words.places.userinfo} value={userinfo} />
        </>
      )}
    </div>
  )
}
