import { factorsOf, removeFactor, tellOfFactor } from '../api/users/user-access'
import type { Op } from '../context/op'
import { BY_SYSTEM } from '../oidc/audit-event'
import { findUser } from '../store/accounts/users'

/**
 * For whoever lost their passkey or phone and finds nobody in the portal who may remove it, such as
 * its only owner: the operator does it at the machine. Ways to sign in elsewhere stay.
 */
export async function removeFactors(op: Op, name: string): Promise<string> {
  const id = await op.users.idOf(name)
  const user = id && (await op.read((db) => findUser(db, id)))
  if (!user) throw new Error(`there is no user ${name}: give an ID, a user name or an address`)
  const { data, password } = await op.read((db) => factorsOf(db, user.id))
  const factors = data.filter(({ kind }) => kind !== 'identity')
  if (factors.length === 0) return `${name} has no passkey and no authenticator app`
  await op.write(async (tx, audit) => {
    for (const { id: factor } of factors) {
      const kind = await removeFactor(tx, user.id, factor)
      if (kind === null) continue
      const target = { targetKind: 'user', targetId: user.id } as const
      const event = { event: 'user.factor_removed', result: 'success', ...target } as const
      audit({ ...BY_SYSTEM, ...event, detail: { factor } })
      await tellOfFactor(op, tx, user, kind)
    }
  })
  const next = password ? 'they sign in with their password' : 'they set a password by mail'
  return `removed from ${name}: ${factors.map(({ kind }) => kind).join(', ')}; ${next}, and add a new one`
}
