import type { PkceSetting } from '../../oidc/client'
import type { Transaction } from '../database/connection'
import { prisma } from '../database/database'

/**
 * Two columns hold the three settings. `requirePkce` says whether PKCE is required now, so server
 * processes of earlier releases require it too; `learnsPkce` says that it was or will be learned.
 */

export function pkceIn(requirePkce: boolean, learnsPkce: boolean) {
  const pkce: PkceSetting = requirePkce ? 'required' : 'not_required'
  return {
    pkce: learnsPkce ? ('learned' as const) : pkce,
    pkceLearned: learnsPkce && requirePkce,
  }
}

export function pkceColumns(pkce: PkceSetting) {
  return { requirePkce: pkce === 'required', learnsPkce: pkce === 'learned' }
}

/** True for the one call that learned it. */
export async function learnPkce(tx: Transaction, id: string): Promise<boolean> {
  const { count } = await prisma(tx).application.updateMany({
    where: { id, learnsPkce: true, requirePkce: false },
    data: { requirePkce: true },
  })
  return count === 1
}
