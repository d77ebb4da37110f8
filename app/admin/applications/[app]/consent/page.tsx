import { BrandStyle } from '@/app/_ui/brand-style'
import { buttonClass } from '@/app/_ui/button'
import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import { Asked } from '@/app/(signin)/consent/form'
import { ConsentQuestion } from '@/app/(signin)/consent/question'
import { changesPortal } from '@/lib/access/portal-api'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import { type BrandingWire, getApplicationBranding } from '@/lib/api/applications/branding'
import { previewApplicationConsent } from '@/lib/api/applications/consent'
import { currentMessages, currentTextPicker } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { asksEveryTime, documentHostOf } from '@/lib/oidc/consent'
import { placeOf } from '@/lib/oidc/redirect-uri'
import { ChooseScopes } from '../../../_ui/choose'
import { AppFrame, readApp, tabTitle } from '../../app-frame'

export const generateMetadata = tabTitle('consent')

export default async function ConsentPreviewPage({ params, searchParams }: PageProps<'app'>) {
  const api = await adminPage('/admin/applications/[app]/consent')
  const { body: app } = await readApp(api, (await params).app)
  const { scope } = await searchParams
  const asked = typeof scope === 'string' ? scope : ''
  const { consent: words } = (await currentMessages()).admin.applications
  return (
    <AppFrame api={api} app={app} tab="consent" intro={words.intro}>
      {app.kind === 'machine' ? (
        <p>{words.machine}</p>
      ) : (
        <>
          <Ask asked={asked} />
          <Preview api={api} app={app} asked={asked} />
        </>
      )}
    </AppFrame>
  )
}

async function Ask({ asked }: { asked: string }) {
  const { consent: words } = (await currentMessages()).admin.applications
  return (
    <form className="flex max-w-[46rem] flex-wrap items-end gap-3">
      <div className="min-w-0 flex-1 basis-64">
        <ChooseScopes
          {...worded(words, 'asks', 'scope')}
          value={asked}
          placeholder="openid profile orders:read"
        />
      </div>
      <button type="submit" className={buttonClass('quiet')}>
        {words.show}
      </button>
    </form>
  )
}

type Props = { api: AdminApi; app: ApplicationWire; asked: string }

/** What people see, drawn by what draws it for them; outside a form there is nothing to send. */
async function Preview({ api, app, asked }: Props) {
  const { admin, consent } = await currentMessages()
  const { consent: words } = admin.applications
  const inWords = await currentTextPicker()
  const params = { id: app.id }
  const query = { scope: asked }
  const preview = await api.get(previewApplicationConsent, { params, query })
  const unconfirmed = preview.items.some(({ scope }) => changesPortal(scope))
  const branding = brandingOf(await api.get(getApplicationBranding, { params }))
  return (
    <Section title={words.preview}>
      <BrandStyle of={branding} within=".consent-preview" />
      <div className="consent-preview rounded-control border border-line bg-paper p-5 sm:p-8">
        <ConsentQuestion
          about={{
            applicationName: app.name,
            publisher: app.publisher,
            publisherVerified: app.publisherVerified,
            firstParty: app.firstParty,
            registration: app.registration,
            logoUri: app.logoUri,
            policyUri: app.policyUri,
            tosUri: app.tosUri,
            redirectHost: preview.redirectUri === null ? '–' : placeOf(preview.redirectUri),
            documentHost: documentHostOf(app),
            remembered: !asksEveryTime(app, { unconfirmed }),
            unconfirmed,
            branding,
          }}
          who={words.sample}
          notYou={<span className="text-link">{consent.notYou}</span>}
          within
        >
          <Asked
            signIn={preview.signIn}
            choices={preview.items.map(({ sentences, ...item }) => ({
              ...item,
              ticked: true,
              known: false,
              sentence: inWords(sentences) ?? item.scope,
            }))}
            words={consent}
          />
        </ConsentQuestion>
      </div>
    </Section>
  )
}

function brandingOf({ logoLight, logoDark, picture, ...rest }: BrandingWire) {
  const idOf = (address: string | null) => address?.split('/').at(-1) ?? null
  return {
    ...rest,
    logos: { light: idOf(logoLight), dark: idOf(logoDark) },
    picture: idOf(picture),
  }
}
