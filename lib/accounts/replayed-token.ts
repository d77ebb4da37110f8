import type { Op } from '../context/op'
import { applicationIn } from '../delivery/mail/greeting'
import { orderNotice } from '../delivery/mail/notices'
import type { Replay, ReplayResult } from '../oidc/stores'
import { countRepeat } from '../store/tokens/refresh-tokens'
import { lockLiveGrant, revokeGrant } from '../store/tokens/token-grants'

/**
 * A used refresh token was sent again. It is counted, judged and, if it looks like theft, its token
 * grant is ended, in one transaction: concurrent repeats see each other. Everybody who ends tokens
 * locks the grant first, so there is no deadlock.
 */
export function replayRefreshToken(op: Op, replay: Replay): Promise<ReplayResult> {
  const { token, userId, application, ip, now } = replay
  return op.write(async (tx, audit) => {
    if (!(await lockLiveGrant(tx, token.tokenGrantId))) {
      return { isGiven: false, suspicion: null }
    }
    const repeat = await countRepeat(tx, token, replay.near)
    const suspicion = replay.judge(repeat)
    if (suspicion === null) {
      audit(replay.repeated(repeat))
      return { isGiven: true, suspicion }
    }
    await revokeGrant(tx, token.tokenGrantId, 'refresh_replay', now)
    audit(replay.ended(suspicion))
    const news = { notice: 'app_signed_out', app: applicationIn(application) } as const
    await orderNotice(op, tx, userId, news, { ip })
    return { isGiven: false, suspicion }
  })
}
