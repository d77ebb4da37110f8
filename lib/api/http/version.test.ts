import { describe, expect, test } from 'vitest'
import { problemIn } from '../../../e2e/support/problem-in'
import { isProblem, PROBLEMS } from './problem'
import { etagOf, requireSeen, requireWritten } from './version'

/** RFC 9110 §13.1.1 */

const NOW = { version: 7 }
const seen = (ifMatch: string | null) => problemIn(() => requireSeen(ifMatch, NOW, { name: 'Now' }))

describe('If-Match', () => {
  test.each(['"7"', '*', 'W/"7"', '"6", "7"', '"7" , "6"', ' "7" ', '"6", *'])(
    '%s names the version that is there',
    async (ifMatch) => {
      expect(await seen(ifMatch)).toBe('not refused')
    },
  )

  test.each(['"6"', '"77"', '7', '""', '', '"7', 'w/"7"', '"6","8"'])(
    '%j names another',
    async (ifMatch) => {
      expect(await seen(ifMatch)).toMatch(/^stale /)
    },
  )

  test('is needed: without it nothing is compared', async () => {
    expect(await seen(null)).toMatch(/^version_needed /)
    expect(PROBLEMS.version_needed[0]).toBe(428)
  })

  test('of another version is answered with what is there now and how it is called', () => {
    try {
      requireSeen('"6"', NOW, { name: 'Now' })
    } catch (error) {
      if (!isProblem(error)) throw error
      expect(PROBLEMS[error.code][0]).toBe(412)
      expect(error.options.headers).toEqual({ ETag: etagOf(7) })
      expect(error.options.members).toEqual({ current: { name: 'Now' } })
    }
    expect.assertions(3)
  })
})

test('a write that met no row, or more than one, was too late', async () => {
  expect(await problemIn(() => requireWritten(1))).toBe('not refused')
  expect(await problemIn(() => requireWritten(0))).toMatch(/^stale /)
  expect(await problemIn(() => requireWritten(2))).toMatch(/^stale /)
})
