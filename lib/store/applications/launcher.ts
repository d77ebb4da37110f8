import type { ApplicationFace } from '../../oidc/stores'
import type { Reader } from '../database/connection'
import { prisma } from '../database/database'
import { BRANDING_FIELDS, toBranding } from './branding'

/** Applications that say where their sign-in starts: what users open from here. */

export type Launchable = {
  id: string
  name: string
  firstParty: boolean
  initiateLoginUri: string
  logoUri: string | null
  logos: ApplicationFace['branding']['logos']
}

const MOST = 100

/** Of these, and all that belong to whoever runs the portal; by name. */
export async function listLaunchable(db: Reader, ids: readonly string[]): Promise<Launchable[]> {
  const rows = await prisma(db).application.findMany({
    where: {
      OR: [{ id: { in: [...ids] } }, { firstParty: true, registration: 'admin' }],
      initiateLoginUri: { not: null },
      disabledAt: null,
    },
    select: {
      id: true,
      name: true,
      firstParty: true,
      initiateLoginUri: true,
      logoUri: true,
      ...BRANDING_FIELDS,
    },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: MOST,
  })
  return rows.flatMap(({ branding, logos, initiateLoginUri, ...row }) =>
    initiateLoginUri === null
      ? []
      : [{ ...row, initiateLoginUri, logos: toBranding({ branding, logos }).logos }],
  )
}
