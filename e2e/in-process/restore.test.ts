import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backUp } from '../../lib/operations/backup/backup'
import { restore } from '../../lib/operations/backup/restore'
import { type Answer, askForm, askToken, machineFields } from '../support/ask'
import { aliceAtWeb, exchange, getCode, refresh, userinfo, webRequest } from '../support/flow'
import { temporaryFolder } from '../support/folder'
import { openPortal } from '../support/in-process'

/** The rest of a restore, under load and as a command, is in e2e/thorough/restore.test.ts. */

const json = (answer: Answer) => JSON.parse(answer.body)

test('N23: nothing of a backup that could have been revoked since is valid after a restore', async () => {
  const portal = await openPortal()
  const demo = portal.demo()
  const alice = await aliceAtWeb(portal)
  const code = await getCode(alice, webRequest(demo))
  const { access_token, refresh_token } = json(await exchange(portal, code))
  const machine = json(await askToken(portal.origin, machineFields(portal))).access_token
  const file = join(temporaryFolder(), 'portal.backup')
  await backUp(portal.op.config, file, portal.op.now())
  await portal.stop()
  await restore(portal.op.config, file, { replace: true, moved: false }, portal.op.now())
  const { op, stop } = await openPortal({ env: portal.env, empty: true })
  const { client_id, client_secret } = demo.machine
  const asked = { client_id, client_secret, token: machine }
  const path = '/oidc/token/introspection'
  expect(json(await askForm(portal.origin, path, asked))).toEqual({ active: false })
  expect((await userinfo(portal.origin, access_token)).status).toBe(401)
  expect(json(await refresh(portal, refresh_token)).error).toBe('invalid_grant')
  const headers = new Headers({ cookie: alice.cookieHeader() })
  expect(await op.sessionOf({ headers })).toBeNull()
  await stop()
})
