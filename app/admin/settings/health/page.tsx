import { LinkButton } from '@/app/_ui/link-button'
import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { health } from '@/lib/api/records/health'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { Findings, worstFirst } from '../../_overview/health'
import { SettingsFrame } from '../settings-frame'

const PATH = '/admin/settings/health'

export const generateMetadata = pageTitle(({ admin }) => admin.settings.health.title)

/** Every check with its state and, where something is wrong, what to do. */
export default async function HealthPage({ searchParams }: PageProps) {
  const api = await adminPage(PATH)
  const { done } = await searchParams
  const { admin } = await currentMessages()
  const { health: words } = admin.settings
  const { state, data } = await api.get(health, {})
  return (
    <SettingsFrame api={api} part="health" done={done}>
      <Section
        title={words.title}
        text={words[state]}
        aside={
          <LinkButton href={PATH} tone="quiet">
            {words.again}
          </LinkButton>
        }
      >
        <Findings findings={worstFirst(data)} admin={admin} api={api} at="health" />
      </Section>
      <p className="text-muted text-small">{words.api}</p>
    </SettingsFrame>
  )
}
