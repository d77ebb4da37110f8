import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { savedPreview } from '@/lib/admin/sign-in-preview'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import { type BrandingWire, getApplicationBranding } from '@/lib/api/applications/branding'
import { BRAND_TEXTS, OWN_ACCENTS } from '@/lib/base/branding'
import { THEMES } from '@/lib/base/contrast'
import { currentLocale, currentMessages, currentSettings } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { languages, locales } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { AdminForm, Check, TextInput } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { MethodFields } from '../../../_ui/method-fields'
import { Pictures } from '../../../_ui/pictures'
import { Preview } from '../../../_ui/preview'
import { AppFrame, readApp, tabTitle } from '../../app-frame'
import { AccentField } from './accent-field'
import { previewBranding, removePicture, saveBranding, uploadPicture } from './actions'

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
  const { logoLight: light, logoDark: dark, picture } = branding
  return (
    <AppFrame api={api} app={app} tab="branding" intro={words.intro} done={done}>
      <Look api={api} app={app} branding={branding} version={version ?? ''} />
      <Pictures
        addresses={{ light, dark, picture }}
        none={{ logo: words.none, picture: words.noPicture }}
        upload={uploadPicture}
        remove={removePicture}
        hidden={{ id: app.id }}
        mayWrite={api.may('applications:write')}
      />
    </AppFrame>
  )
}

async function Look({ api, app, branding, version }: Part & { version: string }) {
  const { branding: words } = (await currentMessages()).admin.applications
  return (
    <AdminForm
      action={saveBranding}
      words={await formWords('save')}
      hidden={{ id: app.id, version }}
      readOnly={!api.may('applications:write')}
      beside={<Preview saved={await savedPreview(api.session, app)} preview={previewBranding} />}
    >
      <Colours branding={branding} />
      <Texts branding={branding} />
      <Section
        title={words.methods}
        aside={
          <a
            href={`/admin/applications/${encodeURIComponent(app.id)}/consent`}
            className="text-link"
          >
            {words.previewConsent}
          </a>
        }
      >
        <Methods branding={branding} />
      </Section>
    </AdminForm>
  )
}

const ACCENTS = { light: 'accent', dark: 'accentDark' } as const

async function Colours({ branding }: { branding: BrandingWire }) {
  const { branding: words } = (await currentMessages()).admin.applications
  const { accent } = (await currentSettings()).branding
  return (
    <Section title={words.colours} text={words.coloursText}>
      {THEMES.map((theme) => (
        <AccentField
          key={theme}
          name={ACCENTS[theme]}
          label={words[ACCENTS[theme]]}
          theme={theme}
          defaultValue={branding[ACCENTS[theme]] ?? ''}
          portal={(accent ?? OWN_ACCENTS)[theme]}
          words={words}
        />
      ))}
    </Section>
  )
}

async function Texts({ branding }: { branding: BrandingWire }) {
  const { branding: words } = (await currentMessages()).admin.applications
  const names = new Intl.DisplayNames(await currentLocale(), { type: 'language' })
  return (
    <Section title={words.texts} text={words.textsText}>
      <p className="text-muted text-small">{words.textsHint}</p>
      {BRAND_TEXTS.map((text) => (
        <div key={text} className="grid gap-5">
          {locales.map((locale) => (
            <TextInput
              key={locale}
              name={`${text}-${locale}`}
              label={fill(words[text], { language: names.of(locale) ?? languages[locale].name })}
              defaultValue={branding[text][locale] ?? ''}
            />
          ))}
        </div>
      ))}
    </Section>
  )
}

/** Its own, or as the portal has them. */
async function Methods({ branding: { methods } }: { branding: BrandingWire }) {
  const { branding: words } = (await currentMessages()).admin.applications
  const { methods: portals } = (await currentSettings()).branding
  return (
    <div className="group grid gap-6">
      <Check {...worded(words, 'ownMethods')} checked={methods !== null} />
      <div className="group-has-[#ownMethods-yes:not(:checked)]:hidden">
        <MethodFields {...(methods ?? portals)} />
      </div>
    </div>
  )
}
