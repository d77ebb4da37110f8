import { LinkButton } from '@/app/_ui/link-button'
import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { getSettings } from '@/lib/api/settings/routes'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import type { UserAttribute } from '@/lib/settings/model'
import { Empty } from '../../_ui/empty'
import { Rows } from '../../_ui/rows'
import { StateBadge } from '../../_ui/state-badge'
import { SettingsFrame } from '../settings-frame'

export const generateMetadata = pageTitle(({ admin }) => admin.settings.tabs.attributes)

export default async function AttributesPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/settings/attributes')
  const { done } = await searchParams
  const { attributes: words, tabs } = (await currentMessages()).admin.settings
  const { userAttributes } = await api.get(getSettings, {})
  const add = api.may('settings:write') && (
    <LinkButton href="/admin/settings/attributes/new">{words.new}</LinkButton>
  )
  const isEmpty = userAttributes.length === 0
  return (
    <SettingsFrame api={api} part="attributes" done={done} action={!isEmpty && add}>
      {isEmpty ? (
        <Empty title={words.none} text={words.intro}>
          {add}
        </Empty>
      ) : (
        <Section title={tabs.attributes} text={words.intro}>
          <Rows none={words.none}>{userAttributes.map((one) => rowOf(one, words))}</Rows>
        </Section>
      )}
    </SettingsFrame>
  )
}

function rowOf(attribute: UserAttribute, words: Messages['admin']['settings']['attributes']) {
  const { key, name, type, changedBy, inConditions } = attribute
  return {
    key,
    title: (
      <a href={`/admin/settings/attributes/${key}`} className="text-link">
        {name}
      </a>
    ),
    facts: [
      [key, ''],
      [words.types[type], ''],
    ] as const,
    action: (
      <span className="flex flex-wrap gap-2">
        {changedBy === 'user' && <StateBadge tone="quiet">{words.byUser}</StateBadge>}
        {inConditions && <StateBadge tone="quiet">{words.forConditions}</StateBadge>}
      </span>
    ),
  }
}
