import { BrandStyle } from '@/app/_ui/brand-style'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import { type BrandingWire, getApplicationBranding } from '@/lib/api/applications/branding'
import { OWN_ACCENTS } from '@/lib/base/branding'
import { THEMES } from '@/lib/base/contrast'
import { currentLocale, currentMessages, currentSettings } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { languages, locales, messagesFor } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { formWords } from '../../../_ui/form-words'
import { AppFrame, readApp, tabTitle } from '../../app-frame'
import { removeLogo } from './actions'
import { BrandingForm, type BrandLanguage } from './branding-form'
import { LogoForm } from './logo-form'

export const generateMetadata = tabTitle('branding')

type Part = { api: AdminApi; app: ApplicationWire; branding: BrandingWire }

export default async function BrandingPage({ params, searchParams }: PageProps<'app'>) {
  const api = await adminPage('/admin/applications/[app]/branding')
  const { body: app } = await readApp(api, (await params).app)
  const { done } = await searchParams
  const { branding: words } = (await currentMessages()).admin.applications
  const { body: branding, version } = await api.read(getApplicationBranding, {
    params: { id: app.id },
  })
  const part = { api, app, branding }
  return (
    <AppFrame api={api} app={app} tab="branding" intro={words.intro} done={done}>
      <BrandStyle of={branding} within="[data-preview]" />
      <Logos {...part} />
      <Look {...part} version={version ?? ''} />
    </AppFrame>
  )
}

async function Logos({ api, app, branding }: Part) {
  const { branding: words } = (await currentMessages()).admin.applications
  const mayWrite = api.may('applications:write')
  const common = await formWords('save')
  const hidden = { id: app.id }
  const addresses = { light: branding.logoLight, dark: branding.logoDark }
  return (
    <Section title={words.logos} text={words.logosText}>
      <div className="grid gap-8 lg:grid-cols-2">
        {THEMES.map((theme) => (
          <div key={theme} className="grid content-start gap-4">
            <h3 className="font-semibold">{words[theme]}</h3>
            <CurrentLogo address={addresses[theme]} theme={theme} />
            {mayWrite && (
              <LogoForm
                theme={theme}
                hidden={hidden}
                label={`${words.file}: ${words[theme]}`}
                words={{ ...common, submit: words.upload, busy: words.uploading }}
              />
            )}
            {mayWrite && addresses[theme] !== null && (
              <form action={removeLogo}>
                <input type="hidden" name="id" value={app.id} />
                <input type="hidden" name="theme" value={theme} />
                <QuietSubmit
                  label={fill(words.removeNamed, { which: words[theme] })}
                  busyLabel={common.busy}
                />
              </form>
            )}
          </div>
        ))}
      </div>
    </Section>
  )
}

/** On the ground that it will stand on, whatever theme this page has. */
async function CurrentLogo({ address, theme }: { address: string | null; theme: string }) {
  const { branding: words } = (await currentMessages()).admin.applications
  if (address === null) return <p className="text-muted">{words.none}</p>
  return (
    <div
      className={`w-fit rounded-control border border-line p-4 ${theme === 'dark' ? 'bg-ground-dark' : 'bg-ground-light'}`}
    >
      {/* biome-ignore lint/performance/noImgElement: drawn by us at its size, no loader needed */}
      <img src={new URL(address).pathname} alt={words.logos} className="size-24" />
    </div>
  )
}

/** What the form and its preview need to know of each language. */
async function languagesOf(app: ApplicationWire): Promise<BrandLanguage[]> {
  const names = new Intl.DisplayNames(await currentLocale(), { type: 'language' })
  const languagesOfPortal = locales.map(async (locale) => {
    const { login, common } = await messagesFor(locale)
    return {
      locale,
      name: names.of(locale) ?? languages[locale].name,
      page: {
        title: login.title,
        intro: fill(login.introApp, { app: app.name }),
        from: fill(common.messageFrom, { app: app.name }),
        identifier: login.identifier,
        next: login.next,
        passkey: login.passkey.use,
        others: login.otherAccounts,
      },
    }
  })
  return Promise.all(languagesOfPortal)
}

async function Look({ api, app, branding, version }: Part & { version: string }) {
  const { branding: words } = (await currentMessages()).admin.applications
  const { branding: portal, languages: offered } = await currentSettings()
  return (
    <BrandingForm
      app={{ id: app.id, name: app.name, logoUri: app.logoUri }}
      branding={branding}
      version={version}
      portal={{
        name: portal.name,
        accents: portal.accent ?? OWN_ACCENTS,
        language: offered.default,
      }}
      languages={await languagesOf(app)}
      shown={await currentLocale()}
      words={words}
      formWords={await formWords('save')}
      readOnly={!api.may('applications:write')}
    />
  )
}
