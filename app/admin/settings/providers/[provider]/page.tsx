import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { getSettings } from '@/lib/api/routes/settings'
import type { ProviderWire } from '@/lib/api/settings-wire'
import { currentMessages } from '@/lib/browser/locale'
import { isConfirmedNow } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { DangerZone } from '../../../_ui/danger'
import { Fact, Facts } from '../../../_ui/facts'
import { AdminForm, TextInput } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { AdminFrame } from '../../../_ui/frame'
import { removeProvider, saveProvider } from '../../actions'
import { ConfirmFirst } from '../../confirm-first'
import { ProviderFields } from '../fields'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.settings.tabs.providers }
}

type Props = { params: Promise<{ provider: string }> }

export default async function ProviderPage({ params }: Props) {
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
        {mayChange && <Removing provider={provider} hidden={hidden} />}
      </div>
    </AdminFrame>
  )
}

type RemovingProps = { provider: ProviderWire; hidden: Record<string, string> }

async function Removing({ provider: { name }, hidden }: RemovingProps) {
  const { settings, form } = (await currentMessages()).admin
  const { providers: words } = settings
  return (
    <DangerZone
      title={words.dangerTitle}
      summary={fill(words.dangerSummary, { name })}
      text={words.danger}
    >
      <AdminForm
        action={removeProvider}
        words={await formWords('delete')}
        hidden={{ ...hidden, name }}
      >
        <TextInput name="typed" label={fill(form.typeName, { name })} />
      </AdminForm>
    </DangerZone>
  )
}
