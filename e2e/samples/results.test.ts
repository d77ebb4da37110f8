import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { digestOf, everySample } from './catalogue'
import { joined, PAGE, pageOf, readResults } from './report'

/** docs/quick-starts.md says what `npm run samples` found, about the samples as they are now. */

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
  const names = new Set(clients.map(({ name }) => name))
  expect([...names].sort()).toEqual([
    'Authlib',
    'PyJWT',
    'Spring Boot client',
    'Spring Boot resource server',
    'express-oauth2-jwt-bearer',
    'go-oidc',
    'joserfc',
    'mod_auth_openidc',
    'mozilla-django-oidc',
    'openid-client',
    'requests-oauthlib',
  ])
  for (const { tried } of clients) {
    expect(tried[0]?.with).toBeNull()
    expect(tried.some(({ worked }) => worked)).toBe(true)
  }
})

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
