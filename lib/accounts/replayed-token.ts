import type { Op } from '../context/op'
import { applicationIn } from '../delivery/mail/greeting'
import { orderNotice } from '../delivery/mail/notices'
import type { Replay } from '../oidc/provider'
import { countRepeat } from '../store/refresh-tokens'
import { holdStanding, revokeGrant } from '../store/token-grants'

/**
 * A used refresh token has come again. It is counted, judged and, where it looks like a theft, its
 * grant ended in one transaction: of many at the same instant each sees what the others did. The
 * grant is what everybody who ends tokens takes first, so nobody waits in a circle.
 */
export function replayRefreshToken(op: Op, replay: Replay): Promise<boolean> {
  const { token, userId, application, ip, now } = replay
  return op.write(async (tx, audit) => {
    if (!(await holdStanding(tx, token.tokenGrantId))) return false
    const repeat = await countRepeat(tx, token, replay.near)
    const why = replay.judge(repeat)
    if (why === null) {
      audit(replay.repeated(repeat))
      return true
    }
    await revokeGrant(tx, token.tokenGrantId, 'refresh_replay', now)
    audit(replay.ended(why))
    const news = { notice: 'app_signed_out', app: applicationIn(application) } as const
    await orderNotice(op, tx, userId, news, { ip })
    return false
  })
}
