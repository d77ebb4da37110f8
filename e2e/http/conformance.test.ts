import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import { type LogoutReceiver, listenForLogout } from '../conformance/others'
import { plans, shortPlans } from '../conformance/plans'
import { newRun, type Subject } from '../conformance/relying-party'
import { subjectFromDemo } from '../conformance/subject'
import { callApi, machineToken } from '../support/api'
import { demoDatabase, usually } from '../support/databases'
import { type Portal, startPortal } from '../support/portal'
import { freePort } from '../support/postgres'
import { isThorough } from '../support/thorough'

/**
 * The plans of the OpenID Foundation, module by module, against the built server: one of its own,
 * as its settings are those of the plans and a module rotates its key. Usually a few modules of each
 * plan, with THOROUGH=1 all of them.
 */

describe.concurrent.each(usually('sqlite'))('conformance on %s', (kind) => {
  let portal: Portal
  let subject: Subject
  let receiver: LogoutReceiver

  beforeAll(async () => {
    const port = await freePort()
    receiver = await listenForLogout(port)
    const env = {
      DATABASE_URL: await demoDatabase[kind](),
      OUTBOUND_HOSTS: `localhost:${port}`,
      REGISTRATION_OUTBOUND_HOSTS: `localhost:${port}`,
    }
    portal = await startPortal({ args: ['--demo'], env })
    await registerBackchannel(portal, `http://localhost:${port}/`)
    await openRegistration(portal)
    subject = subjectFromDemo(portal.demo())
  })

  afterAll(async () => {
    receiver.close()
    await portal.stop()
  })

  const proxied: LogoutReceiver = {
    tokenFor: (sid) => receiver.tokenFor(sid),
    serve: (path, answer) => receiver.serve(path, answer),
    close: () => {},
  }

  for (const plan of (isThorough ? plans : shortPlans)(proxied)) {
    // Modules of one plan are independent of each other: each has a browser of its own.
    describe.concurrent(plan.name, () => {
      test.each(Object.entries(plan.modules))('%s', async (_name, module) => {
        const left = await module(await newRun(subject, plan.formPost))
        expect(left ?? 'not applicable').toMatch(/^not applicable/)
      })
    })
  }
})

/** As the plan for dynamic clients needs it: without PKCE, and many from one address. */
async function openRegistration(portal: Portal): Promise<void> {
  const scopes = ['openid', 'profile', 'email', 'offline_access']
  const clientRegistration = { mode: 'open', scopes, requirePkce: false, perNetwork: 1_000 }
  const token = await machineToken(portal)
  const any = { 'if-match': '*' }
  const answer = await callApi(portal, token, 'PATCH', '/settings', { clientRegistration }, any)
  expect(answer.status).toBe(200)
}

async function registerBackchannel(portal: Portal, backchannelLogoutUri: string): Promise<void> {
  const op = await createOp(readConfig({ ...portal.env, LOG_LEVEL: 'silent' }))
  await op.changePolicy((tx) =>
    tx.application.update({ where: { id: 'app_demo_web' }, data: { backchannelLogoutUri } }),
  )
  await op.close()
}
