import type { Failpoint } from '../../../lib/base/failpoint'
import { authorizeUrl, exchange, getCode, received, refresh, webRequest } from '../../support/flow'
import { portalOf } from '../arena'
import { newPerson, signedIn } from '../people'
import { isActive, type Scenario, wordsOf } from './scenario'

/**
 * Codes, refresh tokens and consent: within the transaction nothing has happened, behind it all
 * has.
 */

const REFUSED = '400 invalid_grant'

function codeAt(point: Failpoint, happened: boolean): Scenario {
  return {
    point,
    async prepare({ portal, alice }) {
      const code = await getCode(alice, webRequest(portal.demo()))
      return {
        act: (armed) => exchange(armed, code),
        async verify(again, tally) {
          const answer = await exchange(again, code)
          const words = wordsOf(answer)
          tally.check(words === (happened ? REFUSED : '200'), `the code afterwards: ${words}`)
          if (happened) return
          const { access_token } = JSON.parse(answer.body)
          tally.check(await isActive(again, access_token), 'its token is not active')
        },
      }
    },
  }
}

/**
 * Whether or not it happened, within the window the old token leads to one successor (attack F13).
 */
function refreshAt(point: Failpoint): Scenario {
  return {
    point,
    async prepare({ portal, alice }) {
      const code = await getCode(alice, webRequest(portal.demo()))
      const old = JSON.parse((await exchange(portal, code)).body).refresh_token
      return {
        act: (armed) => refresh(armed, old),
        async verify(again, tally) {
          const answers = [await refresh(again, old), await refresh(again, old)]
          const words = answers.map(wordsOf).join()
          tally.check(words === '200,200', `the old token afterwards: ${words}`)
          const successors = new Set(answers.map(({ body }) => JSON.parse(body).refresh_token))
          tally.check(successors.size === 1, `${successors.size} successors`)
          const [next = ''] = successors
          const last = wordsOf(await refresh(again, next))
          tally.check(last === '200', `the successor afterwards: ${last}`)
        },
      }
    },
  }
}

/** Somebody who has never agreed to anything is asked again, or is not. */
function consentAt(point: Failpoint, happened: boolean): Scenario {
  return {
    point,
    async prepare({ portal }) {
      const op = await portalOf(portal)
      const browser = await signedIn(op, await newPerson(op))
      await op.close()
      const path = authorizeUrl(webRequest(portal.demo(), { scope: 'openid profile' }))
      const page = await browser.open(path)
      if (!page.url.includes('/consent')) throw new Error(`no consent page but ${page.url}`)
      return {
        act: () => browser.submit(page, {}),
        async verify(_again, tally) {
          const after = await browser.open(path)
          const asked = after.url.includes('/consent')
          tally.check(asked === !happened, `asked again: ${asked}, at ${after.url}`)
          const end = asked ? await browser.submit(after, {}) : after
          tally.check(received(end).code !== undefined, `no code but ${end.url}`)
        },
      }
    },
  }
}

export const flows: Scenario[] = [
  codeAt('code:spent', false),
  codeAt('code:granted', false),
  codeAt('code:exchanged', true),
  refreshAt('refresh:spent'),
  refreshAt('refresh:succeeded'),
  refreshAt('refresh:rotated'),
  consentAt('consent:said', false),
  consentAt('consent:saved', false),
  consentAt('consent:committed', true),
]
