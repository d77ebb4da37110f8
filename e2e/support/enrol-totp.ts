import { Secret, TOTP } from 'otpauth'
import { confirmEnrolment, enrolTotp } from '../../lib/accounts/totp'
import { createOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'

/** Gives a user of a running portal an authenticator app; prints its secret. */

const [, , id = '', email = ''] = process.argv
const STEP_MS = 30_000

const house = await createOp(readConfig({ ...process.env, LOG_LEVEL: 'silent' }))
const secret = await house.write(async (tx) => {
  const enrolment = await enrolTotp(house, tx, { id, email }, 'Phone')
  const totp = new TOTP({ secret: Secret.fromBase32(enrolment.secret) })
  const code = totp.generate({ timestamp: Date.now() - STEP_MS })
  if (!(await confirmEnrolment(house, tx, enrolment, code))) throw new Error('not confirmed')
  return enrolment.secret
})
await house.close()
console.log(secret)
