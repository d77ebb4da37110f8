import { LinkButton } from '@/app/_ui/link-button'
import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { getSettings } from '@/lib/api/settings/routes'
import type { ProviderWire } from '@/lib/api/settings/wire'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { Empty } from '../../_ui/empty'
import { Rows } from '../../_ui/rows'
import { StateBadge } from '../../_ui/state-badge'
import { SettingsFrame } from '../settings-frame'

export const generateMetadata = pageTitle(({ admin }) => admin.settings.tabs.providers)

export default async function ProvidersPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/settings/providers')
  const { done } = await searchParams
  const { settings } = (await currentMessages()).admin
  const { providers: words, tabs } = settings
  const { providers } = await api.get(getSettings, {})
  const add = api.may('sign-in:write') && (
    <LinkButton href="/admin/settings/providers/new">{words.add}</LinkButton>
  )
  return (
    <SettingsFrame api={api} part="providers" done={done} action={providers.length > 0 && add}>
      {providers.length === 0 ? (
        <Empty title={words.emptyTitle} text={words.empty}>
          {add}
        </Empty>
      ) : (
        <Section
          title={tabs.providers}
          text={add ? words.text : `${words.text} ${settings.ownersOnly}`}
        >
          <Rows none={words.empty}>{providers.map((one) => rowOf(one, words))}</Rows>
        </Section>
      )}
    </SettingsFrame>
  )
}

function rowOf(provider: ProviderWire, words: Messages['admin']['settings']['providers']) {
  const { id, name, kind, issuer, domains, source, usable } = provider
  return {
    key: `${source} ${id}`,
    title: (
      <a href={`/admin/settings/providers/${id}`} className="text-link">
        {name}
      </a>
    ),
    facts: [
      [words.kinds[kind], ''],
      ...(issuer === '' ? [] : [[issuer, ''] as const]),
      ...(domains.length > 0 ? [[words.domains, domains.join(', ')] as const] : []),
    ] as const,
    action: (
      <span className="flex gap-2">
        {source === 'environment' && <StateBadge tone="quiet">{words.environment}</StateBadge>}
        {!usable && <StateBadge tone="bad">{words.unusable}</StateBadge>}
      </span>
    ),
  }
}
