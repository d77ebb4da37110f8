import { notFound } from 'next/navigation'
import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { getSettings } from '@/lib/api/settings/routes'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { isConfirmedNow } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { Deletion } from '../../../_ui/danger'
import { Fact, Facts } from '../../../_ui/facts'
import { AdminForm } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { AdminFrame } from '../../../_ui/frame'
import { removeProvider, saveProvider } from '../../actions'
import { ConfirmFirst } from '../../confirm-first'
import { ProviderFields } from '../fields'

export const generateMetadata = pageTitle(({ admin }) => admin.settings.tabs.providers)

export default async function ProviderPage({ params }: PageProps<'provider'>) {
  const api = await adminPage('/admin/settings/providers/[provider]')
  const { provider: id } = await params
  const { providers: words, tabs } = (await currentMessages()).admin.settings
  const { body, version } = await api.read(getSettings, {})
  const provider = body.providers.find((one) => one.id === id)
  if (!provider) notFound()
  const isOurs = provider.source === 'settings'
  const mayWrite = isOurs && api.may('sign-in:write')
  const mayChange = mayWrite && (await isConfirmedNow(api.session))
  const hidden = { id, kind: provider.kind, version: version ?? '' }
  return (
    <AdminFrame
      api={api}
      page="/admin/settings"
      title={provider.name}
      intro={isOurs ? (provider.usable ? undefined : words.unusableText) : words.fixedText}
      above={{ href: '/admin/settings/providers', label: tabs.providers }}
    >
      <div className="grid max-w-[46rem] gap-7">
        <Section title={words.kinds[provider.kind]}>
          <Facts>
            <Fact term={words.callback} copy={provider.callback}>
              {provider.callback}
            </Fact>
            {!isOurs && <Fact term={words.issuer}>{provider.issuer}</Fact>}
            {!isOurs && <Fact term={words.clientId}>{provider.clientId}</Fact>}
          </Facts>
          {mayWrite && !mayChange && <ConfirmFirst />}
          {isOurs && (
            <AdminForm
              action={saveProvider}
              words={await formWords('save')}
              hidden={hidden}
              readOnly={!mayChange}
            >
              <ProviderFields words={words} provider={provider} />
            </AdminForm>
          )}
        </Section>
        {mayChange && (
          <Deletion
            action={removeProvider}
            words={{ ...words, dangerSummary: fill(words.dangerSummary, { name: provider.name }) }}
            name={provider.name}
            hidden={hidden}
          />
        )}
      </div>
    </AdminFrame>
  )
}
