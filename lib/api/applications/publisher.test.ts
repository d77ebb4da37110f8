import { describe, expect, test } from 'vitest'
import { applicationRecord } from '../../../e2e/support/application-record'
import { problemIn } from '../../../e2e/support/problem-in'
import { userCaller } from '../http/caller'
import { requireMayVerify, verificationAfter } from './publisher'

/** The mark that says that an admin checked who publishes an application. */

const admin = userCaller('usr_1', 'admin')
const manager = userCaller('usr_2', 'app_manager')
const marked = { publisher: 'Acme', publisherVerified: true }
const unmarked = { publisher: 'Acme', publisherVerified: false }

describe('the mark of verification', () => {
  const told = (...call: Parameters<typeof requireMayVerify>) =>
    problemIn(() => requireMayVerify(...call))

  test('is set by an admin, and not by an app manager who would vouch for themselves', async () => {
    expect(await told(admin, null, marked)).toBe('not refused')
    expect(await told(manager, null, marked)).toBe('forbidden publisher_forbidden')
    expect(await told(manager, unmarked, marked)).toBe('forbidden publisher_forbidden')
  })

  test('may stay where it is, and may be taken off by anybody', async () => {
    expect(await told(manager, marked, marked)).toBe('not refused')
    expect(await told(manager, marked, unmarked)).toBe('not refused')
  })

  test('is of a publisher', async () => {
    expect(await told(admin, null, { publisher: null, publisherVerified: true })).toBe(
      'invalid /publisherVerified publisher_missing',
    )
  })
})

describe('N17: the mark is lost', () => {
  const before = applicationRecord(marked)
  const LOST = { publisherVerified: false }

  test('with every change of what was checked, if an app manager makes it', () => {
    expect(verificationAfter(manager, before, { name: 'Gatehouse' })).toEqual(LOST)
    expect(verificationAfter(manager, before, { publisher: 'Other' })).toEqual(LOST)
    expect(verificationAfter(manager, before, { redirectUris: ['https://evil.example'] })).toEqual(
      LOST,
    )
  })

  test('not if the same is sent again, nor by what nobody checked', () => {
    const same = { name: before.name, redirectUris: [...before.redirectUris] }
    expect(verificationAfter(manager, before, same)).toEqual({})
    expect(verificationAfter(manager, before, { logoUri: 'https://cdn.example/l.png' })).toEqual({})
  })

  test('with another publisher, unless the admin says that this one was checked, too', () => {
    const other = { publisher: 'Other' }
    expect(verificationAfter(admin, before, other)).toEqual(LOST)
    expect(verificationAfter(admin, before, { ...other, publisherVerified: true })).toEqual({})
    expect(verificationAfter(admin, before, { name: 'Renamed' })).toEqual({})
  })
})
