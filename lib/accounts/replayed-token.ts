import type { Op } from '../context/op'
import { applicationIn } from '../delivery/mail/greeting'
import { orderNotice } from '../delivery/mail/notices'
import type { Replay } from '../oidc/stores'
import { lockLiveGrant, revokeGrant } from '../store/tokens/token-grants'

/**
 * A used refresh token was sent again, and it looks like theft: its token grant is ended. Of several
 * at once, one ends it. Everybody who ends tokens locks the grant first, so there is no deadlock.
 */
export function endReplayedGrant(op: Op, replay: Replay): Promise<boolean> {
  const { token, userId, application, ip, now, event } = replay
  return op.write(async (tx, audit) => {
    if (!(await lockLiveGrant(tx, token.tokenGrantId))) return false
    await revokeGrant(tx, token.tokenGrantId, 'refresh_replay', now)
    audit(event)
    const news = { notice: 'app_signed_out', app: applicationIn(application) } as const
    await orderNotice(op, tx, userId, news, { ip })
    return true
  })
}
