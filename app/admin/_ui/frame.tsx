import type { ReactNode } from 'react'
import { logosOf } from '@/app/_ui/frame-words'
import { preferenceChoices } from '@/app/_ui/preference-choices'
import type { AdminApi } from '@/lib/admin/api'
import { ADMIN_PAGES, NAVIGATION, type NavigationPath } from '@/lib/admin/pages'
import { currentLocale, currentMessages, currentSettings } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { Notice } from './notice'
import { type Above, AdminShell, type SideWords } from './shell'
import { timesChoice } from './times-choice'

type Props = {
  api: AdminApi
  /** Which entry of the navigation this page belongs to. */
  page: NavigationPath
  title: string
  intro?: ReactNode
  /** The way back, on pages below another. */
  above?: Above
  /** The page's own main action. */
  action?: ReactNode
  done?: unknown
  children: ReactNode
}

/** Every admin page: where one can go, where one is, what was just done, then the page itself. */
export async function AdminFrame({ api, page, done, children, ...rest }: Props) {
  const { frame } = await currentMessages()
  return (
    <AdminShell
      {...rest}
      skip={frame.skip}
      side={await sideWords(api, page)}
      notice={<Notice done={done} />}
      choices={[await timesChoice(), ...(await preferenceChoices())]}
    >
      {children}
    </AdminShell>
  )
}

async function sideWords(api: AdminApi, current: NavigationPath): Promise<SideWords> {
  const { admin, frame } = await currentMessages()
  // The labels and other words are in the destinations.
  const { labels, also: _also, ...palette } = admin.palette
  const { branding } = await currentSettings()
  const { name } = branding
  const { user } = api.session
  const role = user.adminRole && admin.roles[user.adminRole]
  return {
    name,
    ...logosOf(branding),
    home: fill(frame.home, { name }),
    palette,
    locale: await currentLocale(),
    menu: admin.menu,
    navigation: admin.navigation,
    current: { path: current, name: admin.pages[current] },
    groups: groupsFor(api, admin.pages),
    user: user.name ?? user.email,
    account: `${role ?? ''} · ${admin.account}`,
    help: admin.help,
    signOut: labels.signOut,
  }
}

function groupsFor(api: AdminApi, names: Record<NavigationPath, string>): SideWords['groups'] {
  return NAVIGATION.map((group) =>
    group.filter((path) => api.may(ADMIN_PAGES[path])).map((path) => ({ path, name: names[path] })),
  ).filter((group) => group.length > 0)
}
