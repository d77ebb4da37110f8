import { execFileSync } from 'node:child_process'
import { transform } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { APPLICATION_KINDS } from '../oidc/client'
import { askable, guidesFor } from '.'

const PORTAL = { issuer: 'https://id.example', origin: 'https://id.example' }
const REDIRECT = "https://app.example:8443/it's/callback?a=$b"

function guides(kind: (typeof APPLICATION_KINDS)[number], redirectUris = [REDIRECT]) {
  const scopes = ['orders:read', 'orders:write']
  const app = { id: 'app_x', kind, redirectUris, postLogoutRedirectUris: [], scopes }
  return guidesFor(PORTAL, app)
}

const files = APPLICATION_KINDS.flatMap((kind) =>
  guides(kind).flatMap(({ id, guide }) =>
    guide.files.map(({ name, text }) => [`${kind} ${id} ${name}`, name, text] as const),
  ),
)

describe.each(files)('%s', (_what, name, text) => {
  test('can be read by what will run it', async () => {
    if (/\.(mjs|tsx?)$/.test(name)) await transform(text, { loader: 'tsx', format: 'esm' })
    if (name.endsWith('.sh')) execFileSync('sh', ['-n'], { input: text })
  })

  test('has the application’s own values in it, and no secret', () => {
    const withoutValues = ['auth.ts', 'app/api/auth/[...nextauth]/route.ts']
    if (!withoutValues.includes(name)) expect(text).toContain('app_x')
    expect(text).not.toMatch(/gh(cs|sk)_/)
  })
})

test('each kind has what fits it, the likeliest first', () => {
  const ids = (kind: (typeof APPLICATION_KINDS)[number]) => guides(kind).map(({ id }) => id)
  expect(ids('web')).toEqual(['next', 'express', 'python', 'go', 'curl'])
  expect(ids('spa')).toEqual(['react', 'curl'])
  expect(ids('native')).toEqual(['node', 'curl'])
  expect(ids('machine')).toEqual(['curl', 'node', 'python', 'go'])
})

test('next-auth has an address of its own, and takes the one that is registered', () => {
  const own = 'http://localhost:3001/api/auth/callback/gatehouse'
  const redirectOf = (uris: string[]) => guides('web', uris)[0]?.guide.redirectUri
  expect(redirectOf([REDIRECT, own])).toBe(own)
  expect(redirectOf([REDIRECT])).toBe('https://app.example:8443/api/auth/callback/gatehouse')
})

test('a private scheme is no place for a server: the sample still runs', () => {
  expect(guides('native', ['com.example.app:/callback'])[0]?.guide.files[0]?.text).toContain(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the sample's own template
    '${origin}/callback',
  )
})

test('a sample asks for what is the application’s business, and for nothing twice', () => {
  const held = ['applications:read', 'orders:*', 'orders:read', 'reports:see', 'reports:see']
  expect(askable(held)).toEqual(['orders:*', 'reports:see', 'applications:read'])
})
