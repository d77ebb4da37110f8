import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../e2e/support/folder'
import { problemIn } from '../../../e2e/support/problem-in'
import { errorMessage } from '../../i18n/error-message'
import { invalidField, Problem } from '../http/problem'
import { outcome, readConfiguration } from './file'
import { asProblem } from './routes'
import { ConfigurationError, configurationSchema, PRUNED, parseConfiguration } from './schema'

/** What a configuration document may be, and where it says that it is not. */

const mistake = (document: unknown) => {
  try {
    parseConfiguration(typeof document === 'string' ? document : JSON.stringify(document))
    return 'none'
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.message
  }
}

describe('a document', () => {
  test('of nothing but a version changes nothing: every kind is empty, and nothing is pruned', () => {
    const { prune, settings, ...kinds } = parseConfiguration('{"version":1}')
    expect([prune, settings]).toEqual([undefined, undefined])
    const { version, ...lists } = kinds
    expect(version).toBe(1)
    expect(Object.values(lists).every((list) => Array.isArray(list) && list.length === 0)).toBe(
      true,
    )
  })

  test.each<[string, unknown, string]>([
    ['no JSON', '{"version":1,}', 'not JSON: '],
    ['no object', '[]', '/: Send an object.'],
    ['another version', { version: 2 }, '/version: '],
    ['no version', {}, '/version: '],
    ['a slip in a kind', { version: 1, aplications: [] }, '/: This field does not exist. (aplic'],
    ['a slip in a space', { version: 1, spaces: [{ key: 'a', nam: 'A' }] }, '/spaces/0'],
    ['a user without a name', { version: 1, users: [{ name: 'Ada' }] }, '/users/0: A user needs'],
    [
      'a secret itself, where its variable belongs',
      { version: 1, webhooks: [{ name: 'CRM', secret: 'whsec_abc' }] },
      '/webhooks/0/secret: Send an object.',
    ],
    [
      'a variable with an odd name',
      { version: 1, webhooks: [{ name: 'CRM', secret: { env: 'A-B' } }] },
      '/webhooks/0/secret/env: This must be the name of an environment variable.',
    ],
    ['an unknown kind to prune', { version: 1, prune: ['everything'] }, '/prune'],
    ['prune without a meaning', { version: 1, prune: false }, '/prune'],
  ])('with %s is refused with its place', (_what, document, told) => {
    expect(mistake(document)).toContain(told)
  })

  test('does not repeat the secret that somebody wrote into it', () => {
    const secret = 'hunter2-hunter2-hunter2-hunter2-hunter2'
    const keys = [{ accessKey: 'ak_1', secretKey: secret }]
    const told = mistake({ version: 1, applications: [{ id: 'a', kind: 'web', keys }] })
    expect(told).toContain('/applications/0/keys/0/secretKey')
    expect(told).not.toContain('hunter2')
  })

  test('may prune all kinds, or some', () => {
    expect(configurationSchema.parse({ version: 1, prune: true }).prune).toBe(true)
    expect(configurationSchema.parse({ version: 1, prune: [...PRUNED] }).prune).toEqual(PRUNED)
  })
})

describe('a file', () => {
  test('that is not there is refused without a stack, with the reason of the system', () => {
    const file = join(temporaryFolder(), 'missing.json')
    expect(() => readConfiguration(file)).toThrow(new ConfigurationError('cannot be read (ENOENT)'))
  })

  test('is read as a document', () => {
    const file = join(temporaryFolder(), 'portal.json')
    writeFileSync(file, '{"version":1,"users":[{"username":"ada"}]}')
    expect(readConfiguration(file).users).toEqual([{ username: 'ada' }])
  })

  test.each([
    [[], 'nothing to do'],
    [['+ space a'], '1 change'],
    [['+ space a', '- space b'], '2 changes'],
  ])('ends with the number of its changes: %j', (lines, told) => {
    expect(outcome(lines)).toBe(told)
  })
})

describe('a document that was sent and is refused', () => {
  const refused = (error: unknown) => problemIn(() => asProblem(error))

  test('is refused with the code of what it would have done, and says where', async () => {
    const cause = new Problem('conflict', errorMessage('taken'))
    expect(await refused(new ConfigurationError('space a: taken', { cause }))).toBe(
      'conflict space a: taken',
    )
    const field = invalidField('/key', errorMessage('key_shape'))
    expect(await refused(new ConfigurationError('space A: /key', { cause: field }))).toBe(
      'invalid space A: /key',
    )
  })

  test('is not valid if only the document knows why', async () => {
    expect(await refused(new ConfigurationError('the user x does not exist'))).toBe(
      'invalid the user x does not exist',
    )
  })

  test('is a fault if something broke', () => {
    const broken = new Error('disk')
    expect(() => asProblem(broken)).toThrow(broken)
  })
})
