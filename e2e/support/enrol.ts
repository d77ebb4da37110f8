import { Secret, TOTP } from 'otpauth'
import { confirmEnrolment, enrolTotp } from '../../lib/accounts/totp'
import type { OpenPortal } from './in-process'

const STEP_MS = 30_000

/** Codes of one app, each of them a new one. */
export type App = { next(): string }

/** An authenticator app at a portal in this process. Each of its codes is of a step that begins now. */
export async function enrolApp(
  { op, moveClock }: Pick<OpenPortal, 'op' | 'moveClock'>,
  user: { id: string; email: string },
): Promise<App> {
  const now = () => ({ timestamp: op.now().getTime() })
  const totp = await op.write(async (tx) => {
    const enrolment = await enrolTotp(op, tx, user, 'Phone')
    const app = new TOTP({ secret: Secret.fromBase32(enrolment.secret) })
    if (!(await confirmEnrolment(op, tx, enrolment, app.generate(now())))) {
      throw new Error('not confirmed')
    }
    return app
  })
  const next = () => {
    moveClock(STEP_MS)
    return totp.generate(now())
  }
  return { next }
}
