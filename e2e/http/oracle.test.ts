import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plans } from '../conformance/plans'
import { newRun } from '../conformance/relying-party'
import { type Oracle, startOracle } from '../support/oracle'

/** The suite itself, proved against a certified provider. */

let oracle: Oracle

beforeAll(async () => {
  oracle = await startOracle()
})

afterAll(() => oracle.stop())

for (const plan of plans(null)) {
  describe.concurrent(`the oracle: ${plan.name}`, () => {
    test.each(Object.entries(plan.modules))('%s', async (_name, module) => {
      const outcome = await module(await newRun(oracle.subject, plan.formPost))
      expect([undefined, 'not applicable']).toContain(outcome)
    })
  })
}
