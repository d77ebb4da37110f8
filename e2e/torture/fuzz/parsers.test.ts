import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Op } from '../../../lib/context/op'
import { createOp } from '../../../lib/op'
import { loadDemo } from '../../../lib/operations/demo'
import { readConfig } from '../../../lib/settings/config'
import { freshDatabase } from '../../support/databases'
import { temporaryFolder } from '../../support/folder'
import { faultIn, PARSERS } from './parsers/index'

/** A few hundred of each; `npm run torture -- fuzz` tries many more. */

const seed = Number(process.env.FUZZ_SEED ?? 20_261_115)
const numRuns = Number(process.env.FUZZ_RUNS ?? 300)

let op: Op

beforeAll(async () => {
  const env = { DATABASE_URL: await freshDatabase.sqlite(), DATA_DIR: temporaryFolder() }
  op = await createOp(readConfig({ ...env, LOG_LEVEL: 'silent' }))
  await loadDemo(op)
})
afterAll(() => op.close())

test.each(PARSERS)(`%s (seed ${seed})`, async (name) => {
  expect(await faultIn(op, name, { seed, numRuns })).toBeNull()
})
