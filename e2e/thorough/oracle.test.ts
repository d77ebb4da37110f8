import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listenForLogout } from '../conformance/others'
import { plans } from '../conformance/plans'
import { newRun } from '../conformance/relying-party'
import { type Oracle, startOracle } from '../support/oracle'
import { freePort } from '../support/postgres'

/** The suite itself, proved against a certified provider. */

const logoutPort = await freePort()
const receiver = await listenForLogout(logoutPort)
let oracle: Oracle

beforeAll(async () => {
  oracle = await startOracle(logoutPort)
})

afterAll(() => {
  oracle.stop()
  receiver.close()
})

for (const plan of plans(receiver)) {
  describe.concurrent(`the oracle: ${plan.name}`, () => {
    test.each(Object.entries(plan.modules))('%s', async (_name, module) => {
      const outcome = await module(await newRun(oracle.subject, plan.formPost))
      expect(outcome ?? 'not applicable').toMatch(/^not applicable/)
    })
  })
}
