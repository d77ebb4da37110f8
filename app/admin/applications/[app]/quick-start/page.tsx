import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { adminPage } from '@/lib/admin/api'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import { getApplicationGrants } from '@/lib/api/applications/grants'
import { currentMessages } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { askable, guidesFor, isByKey, type WrittenGuide } from '@/lib/quick-start'
import { chosenSample, Samples } from '../../../_ui/samples'
import { AppFrame, readApp, tabTitle } from '../../app-frame'
import { addAddress } from './actions'

export const generateMetadata = tabTitle('quickStart')

export default async function QuickStartPage({ params, searchParams }: PageProps<'app'>) {
  const api = await adminPage('/admin/applications/[app]/quick-start')
  const { body: app, version } = await readApp(api, (await params).app)
  const { with: asked, done } = await searchParams
  const { quickStart: words } = (await currentMessages()).admin.applications
  const { grants } = await api.get(getApplicationGrants, { params: { id: app.id } })
  const allowed = grants.filter(({ effect }) => effect === 'allow')
  const scopes = askable(allowed.map(({ pattern }) => pattern))
  const { issuer, origin } = await op()
  const guides = guidesFor({ issuer, origin }, { ...app, scopes })
  const path = `/admin/applications/${encodeURIComponent(app.id)}/quick-start`
  const chosen = chosenSample(guides, asked)
  return (
    <AppFrame api={api} app={app} tab="quickStart" intro={words.intro} done={done}>
      <Samples path={path} guides={guides} chosen={chosen}>
        <Needs
          app={app}
          version={version ?? ''}
          mayAdd={api.may('applications:write')}
          chosen={chosen}
        />
      </Samples>
    </AppFrame>
  )
}

type Needed = { app: ApplicationWire; version: string; mayAdd: boolean; chosen: WrittenGuide }

/** What has to be so before the sample works. */
async function Needs({ chosen, ...rest }: Needed) {
  const { quickStart: words, tab } = (await currentMessages()).admin.applications
  const { app } = rest
  const { redirectUri, origin, needs } = chosen.guide
  const requiresPkce = app.pkce === 'required' || app.pkceLearned
  const base = `/admin/applications/${encodeURIComponent(app.id)}`
  return (
    <>
      {redirectUri !== null && !app.redirectUris.includes(redirectUri) && (
        <Missing {...rest} sample={chosen.id} list="redirectUris" uri={redirectUri} />
      )}
      {origin !== null && app.origins !== null && !app.origins.includes(origin) && (
        <Missing {...rest} sample={chosen.id} list="origins" uri={origin} />
      )}
      {requiresPkce && needs.includes('pkceOff') && (
        <p>
          {words.needs.pkceOff}{' '}
          <a href={`${base}/settings`} className="text-link">
            {words.toSettings}
          </a>
        </p>
      )}
      {!app.authMethods.includes('none') && (
        <p className="text-muted">
          {isByKey(app.authMethods) ? words.keyHint : words.secretHint}{' '}
          <a href={`${base}/credentials`} className="text-link">
            {tab.credentials}
          </a>
        </p>
      )}
    </>
  )
}

type MissingProps = Pick<Needed, 'app' | 'version' | 'mayAdd'> & {
  sample: string
  list: 'redirectUris' | 'origins'
  uri: string
}

async function Missing({ app, version, mayAdd, sample, list, uri }: MissingProps) {
  const { quickStart: words } = (await currentMessages()).admin.applications
  const isOrigin = list === 'origins'
  const hidden = { id: app.id, version, with: sample, list, uri }
  return (
    <form action={addAddress} className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <span>
        {isOrigin ? fill(words.addOrigin, { origin: uri }) : fill(words.addRedirect, { uri })}
      </span>
      {mayAdd && <QuietSubmit label={words.addIt} busyLabel={words.adding} />}
    </form>
  )
}
