import type { Metadata } from 'next'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { type BrandingWire, getApplicationBranding } from '@/lib/api/routes/application-branding'
import type { ApplicationWire } from '@/lib/api/routes/applications'
import { THEMES } from '@/lib/base/contrast'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { AdminForm } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { AppFrame, type AppPageProps, readApp, tabTitle } from '../../app-frame'
import { AccentField } from './accent-field'
import { removeLogo, saveColours } from './actions'
import { LogoForm } from './logo-form'

export function generateMetadata(): Promise<Metadata> {
  return tabTitle('branding')
}

type Part = { api: AdminApi; app: ApplicationWire; branding: BrandingWire }

export default async function BrandingPage({ params, searchParams }: AppPageProps) {
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
      <Logos {...part} />
      <Colours {...part} version={version ?? ''} />
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

async function Colours({ api, app, branding, version }: Part & { version: string }) {
  const { branding: words } = (await currentMessages()).admin.applications
  return (
    <Section title={words.colours} text={words.coloursText}>
      <AdminForm
        action={saveColours}
        words={await formWords('save')}
        hidden={{ id: app.id, version }}
        readOnly={!api.may('applications:write')}
      >
        <div className="grid gap-8 lg:grid-cols-2">
          <AccentField
            name="accent"
            label={words.accent}
            theme="light"
            defaultValue={branding.accent ?? ''}
            words={words}
          />
          <AccentField
            name="accentDark"
            label={words.accentDark}
            theme="dark"
            defaultValue={branding.accentDark ?? ''}
            words={words}
          />
        </div>
      </AdminForm>
    </Section>
  )
}
