import { adminPage } from '@/lib/admin/api'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import { getApplicationGrants } from '@/lib/api/applications/grants'
import { currentMessages } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { askable, type Guide, guidesFor, isByKey } from '@/lib/quick-start'
import { chosenSample, Samples } from '../../../_ui/samples'
import { AppFrame, readApp, tabTitle } from '../../app-frame'

export const generateMetadata = tabTitle('quickStart')

export default async function QuickStartPage({ params, searchParams }: PageProps<'app'>) {
  const api = await adminPage('/admin/applications/[app]/quick-start')
  const { body: app } = await readApp(api, (await params).app)
  const asked = (await searchParams).with
  const { quickStart: words } = (await currentMessages()).admin.applications
  const { grants } = await api.get(getApplicationGrants, { params: { id: app.id } })
  const allowed = grants.filter(({ effect }) => effect === 'allow')
  const scopes = askable(allowed.map(({ pattern }) => pattern))
  const { issuer, origin } = await op()
  const guides = guidesFor({ issuer, origin }, { ...app, scopes })
  const path = `/admin/applications/${encodeURIComponent(app.id)}/quick-start`
  const chosen = chosenSample(guides, asked)
  return (
    <AppFrame api={api} app={app} tab="quickStart" intro={words.intro}>
      <Samples path={path} guides={guides} chosen={chosen}>
        <Needs app={app} guide={chosen.guide} />
      </Samples>
    </AppFrame>
  )
}

/** What has to be so before the sample works. */
async function Needs({ app, guide }: { app: ApplicationWire; guide: Guide }) {
  const { quickStart: words, tab } = (await currentMessages()).admin.applications
  const { redirectUri, origin } = guide
  const requiresPkce = app.pkce === 'required' || app.pkceLearned
  const base = `/admin/applications/${encodeURIComponent(app.id)}`
  const toAdd = [
    redirectUri !== null &&
      !app.redirectUris.includes(redirectUri) &&
      fill(words.addRedirect, { uri: redirectUri }),
    origin !== null &&
      app.origins !== null &&
      !app.origins.includes(origin) &&
      fill(words.addOrigin, { origin }),
    requiresPkce && guide.needs.includes('pkceOff') && words.needs.pkceOff,
  ].filter((text) => text !== false)
  return (
    <>
      {toAdd.map((text) => (
        <p key={text}>
          {text}{' '}
          <a href={`${base}/settings`} className="text-link">
            {words.toSettings}
          </a>
        </p>
      ))}
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
