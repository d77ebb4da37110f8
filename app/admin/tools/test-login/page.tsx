import { LinkButton } from '@/app/_ui/link-button'
import { type AdminApi, adminPage, apiFor } from '@/lib/admin/api'
import { textsIn } from '@/lib/admin/context-fields'
import { openTestLogin } from '@/lib/api/applications/test-login'
import { finishTestLogin } from '@/lib/api/applications/test-logins'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { currentSession, heldSessions } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { Empty } from '../../_ui/empty'
import { AdminFrame } from '../../_ui/frame'
import { Result } from './result'

export const generateMetadata = pageTitle(({ admin }) => admin.tools.result.title)

/** The built-in callback; see lib/api/applications/test-login.ts for why it is safe. */
export default async function TestLoginPage({ searchParams }: PageProps) {
  const back = textsIn(await searchParams, ['state', 'code', 'error', 'error_description'])
  const api = (await beginnersApi(back.state)) ?? (await adminPage('/admin/tools/test-login'))
  const body = { ...back, state: back.state ?? '' }
  const finished = await api.send(finishTestLogin, { body })
  const { admin } = await currentMessages()
  const { result: words } = admin.tools
  return (
    <AdminFrame
      api={api}
      page="/admin/tools"
      title={words.title}
      above={{ href: '/admin/tools', label: admin.pages['/admin/tools'] }}
    >
      <Switched api={api} />
      {finished.ok ? (
        <Result api={api} result={finished.body} />
      ) : (
        <Empty title={words.over} text={words.overText}>
          <LinkButton href="/admin/tools">{words.again}</LinkButton>
        </Empty>
      )}
    </AdminFrame>
  )
}

/** Whoever began it is still signed in at this browser, though it may act as somebody else now. */
async function beginnersApi(state = ''): Promise<AdminApi | null> {
  const opened = openTestLogin(await op(), state)
  const session = (await heldSessions()).find(({ user }) => `user:${user.id}` === opened?.by)
  if (!session || session.user.adminRole === null) return null
  const api = await apiFor(session)
  return api.may('applications:write') ? api : null
}

async function Switched({ api }: { api: AdminApi }) {
  const active = await currentSession()
  if (active?.user.id === api.session.user.id) return null
  const { result: words } = (await currentMessages()).admin.tools
  const { name, email } = active?.user ?? { name: null, email: null }
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 rounded-panel border border-edge px-5 py-4">
      <p>{fill(words.switched, { user: name ?? email ?? '–' })}</p>
      <LinkButton href="/accounts?returnTo=%2Fadmin%2Ftools" tone="quiet">
        {words.switchBack}
      </LinkButton>
    </div>
  )
}
