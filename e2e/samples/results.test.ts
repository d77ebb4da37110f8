import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CLIENT_SETTINGS } from '../../lib/quick-start/client-settings'
import { digestOf, everySample } from './catalogue'
import { CLIENTS } from './client-list'
import { isLockedOut, joined, PAGE, pageOf, pkceTrial, readResults } from './report'

/** docs/quick-starts.md says what `npm run samples` found, about the samples as they are now. */

/** The Go proxy does not have it where the samples run. */
const NOT_TO_BE_HAD = ['oauth2c']

const { samples, clients } = readResults()
const found = new Map(samples.map((result) => [`${result.for}/${result.id}`, result]))

test.each(everySample().map((sample) => [`${sample.for}/${sample.id}`, sample] as const))(
  '%s was run as it is, or says that it was not',
  (name, sample) => {
    const result = found.get(name)
    expect(result?.digest, `npm run samples -- --only=${name}`).toBe(digestOf(sample))
    expect(result?.failed).toBeUndefined()
    expect(result?.ran).toBe(sample.guide.tested)
  },
)

test('the page is made of the results', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(pageOf({ samples, clients }))
})

test('every client was tried without special settings first, and each gets in', () => {
  const rowsOf = (list: readonly { name: string; does: string }[]) =>
    [...new Set(list.map(({ name, does }) => `${name}: ${does}`))].sort()
  expect(rowsOf(clients)).toEqual(rowsOf(CLIENTS))
  for (const client of clients) {
    expect(client.tried[0]?.with).toBeNull()
    expect(isLockedOut(client)).toBe(false)
  }
})

test.each(CLIENT_SETTINGS.filter(({ pkce }) => pkce !== false).map(({ client }) => client))(
  '%s was tried with an application that requires PKCE',
  (client) => {
    const trial = pkceTrial(client, { samples, clients })
    expect(trial).not.toContain('fails')
    expect(trial === 'not run').toBe(NOT_TO_BE_HAD.includes(client))
  },
)

test('a machine without a runtime does not take back what ran elsewhere', () => {
  const [ran] = samples.filter((one) => one.ran)
  if (!ran) throw new Error('no sample was run')
  const missing = { ...ran, ran: false, told: 'no runtime' }
  const resultOf = (now: typeof ran) =>
    joined({ samples, clients }, { samples: [now], clients: [] }).samples.find(
      (one) => one.for === ran.for && one.id === ran.id,
    )
  expect(resultOf(missing)).toEqual(ran)
  const changed = { ...missing, digest: 'another' }
  expect(resultOf(changed)).toEqual(changed)
  const broken = { ...missing, failed: 'it failed' }
  expect(resultOf(broken)).toEqual(broken)
})
