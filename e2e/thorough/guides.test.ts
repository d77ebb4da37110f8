import { afterAll, beforeAll, describe, test } from 'vitest'
import { GUIDES, runGuide } from '../samples/guides'
import { type Portal, startPortal } from '../support/portal'

/** What the guides tell people to type works, and answers what they say. */

let portal: Portal

beforeAll(async () => {
  portal = await startPortal({ args: ['--demo'] })
})

afterAll(() => portal.stop())

describe('the commands of a guide, from the first to the last', () => {
  test.each(GUIDES.map((guide) => [guide.path, guide] as const))('%s', async (_path, guide) => {
    await runGuide(portal, guide)
  })
})
