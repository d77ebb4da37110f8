import {
  type ConnectedApp,
  chooseScopes,
  listConnectedApps,
  pauseApp,
  removeApp,
  resumeApp,
} from '../../lib/accounts/connected-apps'
import type { OpenPortal } from './in-process'
import type { OldBrowser } from './old-browser'

/** What the signed-in user of a browser does at /account/apps. False: nothing was changed. */

export function appsOf({ op }: OpenPortal, browser: OldBrowser) {
  const origin = { ip: '127.0.0.1', userAgent: 'a test' }
  async function session() {
    const headers = new Headers({ cookie: browser.cookieHeader() })
    const found = await op.sessionOf({ headers })
    if (!found) throw new Error('nobody is signed in')
    return found
  }
  return {
    async find(id: string): Promise<ConnectedApp | undefined> {
      return (await listConnectedApps(op, await session())).find((app) => app.id === id)
    },
    pause: async (id: string) => pauseApp(op, await session(), id, origin),
    resume: async (id: string) => resumeApp(op, await session(), id, origin),
    remove: async (id: string) => removeApp(op, await session(), id, origin),
    choose: async (applicationId: string, ticked: readonly string[]) =>
      chooseScopes(op, await session(), { applicationId, ticked }, origin),
  }
}
