import { describe, expect, test } from 'vitest'
import { accentContrast, contrast, isReadable } from '../base/contrast'
import { locales } from '../i18n/locales'
import { brandingCss } from './branding-css'
import { readConfig } from './config'
import { effective, fixedBy } from './effective'
import { brandingShape, localeOf, NO_SECRETS, parseStored, securityShape } from './model'

const SECRET = { GATEHOUSE_SECRET: 'a-test-secret-of-sufficient-length-0123456789' }
const none = readConfig(SECRET)

describe('contrast', () => {
  test('is WCAG’s: 21 for black on white, 1 for a colour on itself', () => {
    expect(contrast('#000000', '#ffffff')).toBe(21)
    expect(contrast('#12604f', '#12604f')).toBe(1)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  })

  test('our own accent is readable; one that is too pale, or too dark, is refused', () => {
    expect(accentContrast('#12604f', 'light')).toBeGreaterThan(4.5)
    expect(accentContrast('#7fcab2', 'dark')).toBeGreaterThan(4.5)
    expect(isReadable('#f0c000', 'light')).toBe(false)
    expect(isReadable('#12604f', 'dark')).toBe(false)
    const accent = brandingShape.accent.safeParse({ light: '#f0c000', dark: '#7fcab2' })
    expect(accent.error?.issues[0]).toMatchObject({ path: ['light'] })
    expect(brandingShape.accent.parse({ light: '#0B4B9A', dark: '#9ac4ff' })?.light).toBe('#0b4b9a')
  })

  test('N17: nothing but a colour gets into the stylesheet', () => {
    const css = brandingCss({ accent: { light: '#0b4b9a', dark: '#9ac4ff' } })
    expect(css).toContain('--color-accent:light-dark(#0b4b9a,#9ac4ff)')
    for (const colour of ['red;}body{display:none', '#fff', 'url(//x)', '#12604f;']) {
      expect(brandingShape.accent.safeParse({ light: colour, dark: '#9ac4ff' }).success).toBe(false)
    }
    expect(brandingCss({ accent: null })).toBe('')
  })
})

describe('what holds', () => {
  test('without anything set: the defaults, and NIST’s lengths are the least', () => {
    const settings = effective(none, parseStored({}), NO_SECRETS, 0)
    expect(settings).toMatchObject({
      security: { passwordLength: 15, registration: 'closed', clientRequestsPerMinute: 6000 },
      branding: { name: 'Gatehouse', accent: null },
      languages: { default: 'en', offered: [...locales] },
      smtp: null,
      providers: [],
    })
    expect(securityShape.passwordLength.safeParse(14).success).toBe(false)
    expect(securityShape.passwordLengthWithFactor.safeParse(7).success).toBe(false)
    expect(fixedBy(none)).toEqual({})
  })

  test('the environment wins, and says which variable speaks', () => {
    const config = readConfig({
      ...SECRET,
      REGISTRATION: 'open',
      CLIENT_REQUESTS_PER_MINUTE: '60',
      SMTP_URL: 'smtp://env.example',
      MAIL_FROM: 'env@example.com',
    })
    const stored = parseStored({
      security: { registration: 'closed', clientRequestsPerMinute: 9, sessionHours: 2 },
      mail: { server: 'smtp://me@set.example', from: 'set@example.com' },
    })
    const settings = effective(config, stored, { mail: 'p@ss:/word', providers: {} }, 1)
    expect(settings.security).toMatchObject({ registration: 'open', clientRequestsPerMinute: 60 })
    expect(settings.security.sessionHours).toBe(2)
    expect(settings.smtp).toMatchObject({ url: 'smtp://env.example', guarded: false })
    expect(Object.values(fixedBy(config))).toEqual([
      'REGISTRATION',
      'CLIENT_REQUESTS_PER_MINUTE',
      'SMTP_URL',
    ])
    const own = effective(none, stored, { mail: 'p@ss:/word', providers: {} }, 1)
    expect(decodeURIComponent(new URL(own.smtp?.url ?? '').password)).toBe('p@ss:/word')
  })

  test.each([
    ['en', 'en'],
    ['zh-Hans', 'zh-Hans'],
    ['tlh', 'zh-Hans'],
    ['', 'zh-Hans'],
    [null, 'zh-Hans'],
    [undefined, 'zh-Hans'],
  ])('somebody whose language is %j is written to in %s', (wanted, expected) => {
    const languages = { default: 'zh-Hans', offered: ['en', 'zh-Hans'] } as const
    expect(localeOf(wanted, languages)).toBe(expected)
  })

  test('what a newer instance wrote does not stop this one', () => {
    const stored = parseStored({
      languages: { default: 'tlh', offered: ['tlh', 'zh-Hans'] },
      providers: [{ id: 'x', kind: 'saml' }],
      security: { sessionHours: 5, tomorrow: true },
    })
    const settings = effective(none, stored, NO_SECRETS, 1)
    expect(settings.languages).toEqual({ default: 'zh-Hans', offered: ['zh-Hans'] })
    expect(settings.providers).toEqual([])
    expect(settings.security.sessionHours).toBe(5)
  })
})
