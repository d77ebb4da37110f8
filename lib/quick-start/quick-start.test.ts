import { execFileSync } from 'node:child_process'
import { transform } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { APPLICATION_KINDS, type AuthMethod } from '../oidc/client'
import { askable, guidesFor, guidesForApi } from '.'

const PORTAL = { issuer: 'https://id.example', origin: 'https://id.example' }
const REDIRECT = "https://app.example:8443/it's/callback?a=$b"

function guides(
  kind: (typeof APPLICATION_KINDS)[number],
  redirectUris = [REDIRECT],
  authMethods: readonly AuthMethod[] = ['client_secret_basic'],
) {
  const scopes = ['orders:read', 'orders:write']
  const app = { id: 'app_x', kind, redirectUris, postLogoutRedirectUris: [], authMethods, scopes }
  return guidesFor(PORTAL, app)
}

const plain = { userBound: false, needsRole: false }
const orders = { audience: 'https://orders.example', prefix: 'orders' }
const ofApi = (keys: readonly string[]) =>
  guidesForApi(PORTAL.issuer, { ...orders, permissions: keys.map((key) => ({ key, ...plain })) })

const all = [
  ...APPLICATION_KINDS.map((kind) => [kind, 'app_x', guides(kind)] as const),
  ['api', orders.audience, ofApi(['orders:read'])] as const,
]
const samples = all.flatMap(([kind, own, written]) =>
  written.map(({ id, guide }) => [`${kind} ${id}`, own, guide] as const),
)
const files = samples.flatMap(([what, , guide]) =>
  guide.files.map(({ name, text }) => [`${what} ${name}`, name, text] as const),
)

describe.each(files)('%s', (_what, name, text) => {
  test('can be read by what will run it', async () => {
    if (/\.(m?js|jsx)$/.test(name)) await transform(text, { loader: 'jsx', format: 'esm' })
    if (name.endsWith('.sh')) execFileSync('sh', ['-n'], { input: text })
  })
})

describe.each(samples)('%s', (_what, own, { files, settings, install, run }) => {
  const text = [...files.map((file) => file.text), settings, install, run].join('\n')

  test('has values of its own in it, and no secret', () => {
    expect(text).toContain(own)
    expect(text).not.toMatch(/gh(cs|sk)_/)
  })

  test('its commands can be read by a shell, and what they say of the secret is one line', () => {
    for (const lines of [install, settings, run]) {
      if (lines) execFileSync('sh', ['-n'], { input: lines })
    }
    expect(text.split('<client secret>').length).toBeLessThanOrEqual(2)
  })
})

test('each kind has what fits it, the likeliest first', () => {
  const ids = (kind: (typeof APPLICATION_KINDS)[number]) => guides(kind).map(({ id }) => id)
  expect(ids('web').slice(0, 5)).toEqual(['next', 'express', 'hono', 'python', 'go'])
  expect(ids('spa')).toEqual(['react', 'curl'])
  expect(ids('native').slice(0, 2)).toEqual(['node', 'python'])
  expect(ids('machine').slice(0, 4)).toEqual(['curl', 'node', 'python', 'go'])
})

test('a product has an address of its own, and takes the one that is registered', () => {
  const own = 'http://localhost:3001/api/auth/callback/gatehouse'
  const redirectOf = (uris: string[], wanted: string) =>
    guides('web', uris).find(({ id }) => id === wanted)?.guide.redirectUri
  expect(redirectOf([REDIRECT, own], 'next')).toBe(own)
  expect(redirectOf([REDIRECT], 'next')).toBe(
    'https://app.example:8443/api/auth/callback/gatehouse',
  )
  expect(redirectOf([REDIRECT], 'spring')).toBe(
    'https://app.example:8443/login/oauth2/code/gatehouse',
  )
})

test('a redirect URI that a sample has a page at gives way', () => {
  const express = (uri: string) => guides('web', [uri]).find(({ id }) => id === 'express')?.guide
  expect(express('http://localhost:4000/')?.redirectUri).toBe('http://localhost:4000/callback')
  expect(express('http://localhost:4000/done')?.redirectUri).toBe('http://localhost:4000/done')
})

test('a private scheme is no place for a server: the sample still runs', () => {
  expect(guides('native', ['com.example.app:/callback'])[0]?.guide.files[0]?.text).toContain(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the sample's own template
    '${origin}/callback',
  )
})

test('an API’s sample asks for reading; where nothing is defined yet, for the usual name', () => {
  const text = (keys: string[]) => ofApi(keys)[0]?.guide.files[0]?.text
  expect(text(['orders:delete', 'orders:read'])).toContain('"orders:read"')
  expect(text(['orders:export'])).toContain('"orders:export"')
  expect(text([])).toContain('"orders:read"')
})

test('a sample asks for what is the application’s business, and for nothing twice', () => {
  const held = ['applications:read', 'orders:*', 'orders:read', 'reports:see', 'reports:see']
  expect(askable(held)).toEqual(['orders:*', 'reports:see', 'applications:read'])
})

describe.each(['web', 'machine'] as const)('%s with private_key_jwt', (kind) => {
  const signing = guides(kind, [REDIRECT], ['private_key_jwt'])

  test('signs with a key, and no sample speaks of a secret of the client', async () => {
    expect(signing.length).toBeGreaterThan(0)
    for (const { guide } of signing) {
      const { settings, install, run, files: written } = guide
      const text = [settings, install, run, ...written.map((file) => file.text)].join('\n')
      expect(text).not.toContain('CLIENT_SECRET')
      expect(text).toContain('openid.PrivateKeyJwt(key)')
      expect(settings).toContain('CLIENT_KEY_FILE=')
      for (const file of written) await transform(file.text, { loader: 'js', format: 'esm' })
    }
  })

  test('where a secret works too, the samples are those with a secret', () => {
    const both = guides(kind, [REDIRECT], ['client_secret_basic', 'private_key_jwt'])
    expect(both).toEqual(guides(kind))
  })
})
