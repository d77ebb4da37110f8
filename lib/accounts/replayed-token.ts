import type { Op } from '../context/op'
import { applicationIn } from '../delivery/mail/greeting'
import { orderNotice } from '../delivery/mail/notices'
import type { Replay } from '../oidc/provider'
import { countRepeat } from '../store/refresh-tokens'
import { holdStanding, revokeGrant } from '../store/token-grants'

/**
 * A used refresh token was sent again. It is counted, judged and, if it looks like theft, its token
 * grant is ended, in one transaction: concurrent repeats see each other. Everybody who ends tokens
 * locks the grant first, so there is no deadlock.
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
