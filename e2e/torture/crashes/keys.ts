import type { Failpoint } from '../../../lib/base/failpoint'
import { ask, askToken, machineFields } from '../../support/ask'
import { runCommand, type Scenario } from './scenario'

/** `npm run keys -- rotate --now`, killed on the way: somebody signs, and everybody can check it. */

const ROTATE = ['keys', 'rotate', '--now']

function rotationAt(point: Failpoint): Scenario {
  return {
    point,
    prepare: async () => ({
      act: async () => {},
      command: ROTATE,
      async verify(portal, tally) {
        const { status, body } = await askToken(portal.origin, machineFields(portal))
        tally.check(status === 200, `a token afterwards: ${status}`)
        const [head = ''] = JSON.parse(body).access_token.split('.')
        const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
        const published = await ask(portal.origin, { path: '/oidc/.well-known/jwks.json' })
        tally.check(published.body.includes(kid), 'it signs with a key that it does not publish')
        const again = await runCommand(portal.env, ROTATE)
        tally.check(
          again.code === 0 && /ES256: rotated\nRS256: rotated/.test(again.output),
          `rotated again: ${again.output}`,
        )
      },
    }),
  }
}

export const keys: Scenario[] = [
  rotationAt('key:staged'),
  rotationAt('key:unslotted'),
  rotationAt('key:retired'),
  rotationAt('key:promoted'),
  rotationAt('key:rotated'),
]
