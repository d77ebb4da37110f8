import { describe, expect, test } from 'vitest'
import { PREVIEW_PATH, pageHeaders } from './page-headers'

const production = { nonce: 'abc', path: '/login', https: true, dev: false }

describe('pageHeaders', () => {
  test('the policy names every directive once and allows scripts by nonce only', () => {
    expect(pageHeaders(production)['Content-Security-Policy']).toBe(
      "default-src 'self'; script-src 'self' 'nonce-abc' 'strict-dynamic'; " +
        "style-src 'self' 'nonce-abc'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; " +
        "frame-ancestors 'none'",
    )
  })

  test('eval and inline styles are for development alone', () => {
    const policy = (dev: boolean) =>
      pageHeaders({ ...production, dev })['Content-Security-Policy'] ?? ''
    expect(policy(true)).toContain("'unsafe-eval'")
    expect(policy(true)).toContain("style-src 'self' 'unsafe-inline'")
    expect(policy(false)).not.toContain('unsafe')
  })

  test('HSTS only where the issuer is https', () => {
    expect(pageHeaders(production)).toHaveProperty('Strict-Transport-Security')
    expect(pageHeaders({ ...production, https: false })).not.toHaveProperty(
      'Strict-Transport-Security',
    )
  })

  test.each([
    ['X-Frame-Options', 'DENY'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Cache-Control', 'no-store'],
  ])('%s: %s', (name, value) => expect(pageHeaders(production)[name]).toBe(value))

  test.each([
    [PREVIEW_PATH, "frame-ancestors 'self'", 'SAMEORIGIN'],
    [`${PREVIEW_PATH}/`, "frame-ancestors 'none'", 'DENY'],
    [`${PREVIEW_PATH}/x`, "frame-ancestors 'none'", 'DENY'],
    ['/login', "frame-ancestors 'none'", 'DENY'],
    ['/consent', "frame-ancestors 'none'", 'DENY'],
    ['/admin/settings/branding', "frame-ancestors 'none'", 'DENY'],
  ])('Q261: %s: %s', (path, ancestors, options) => {
    const sent = pageHeaders({ ...production, path })
    expect(sent['Content-Security-Policy']).toMatch(new RegExp(`; ${ancestors}$`))
    expect(sent['X-Frame-Options']).toBe(options)
  })

  test('powerful features are off', () => {
    const policy = pageHeaders(production)['Permissions-Policy']
    for (const feature of ['camera', 'microphone', 'geolocation', 'payment'])
      expect(policy).toContain(`${feature}=()`)
  })
})
