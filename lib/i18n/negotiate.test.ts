import { describe, expect, test } from 'vitest'
import { negotiateLocale } from './negotiate'

describe('negotiateLocale reads Accept-Language', () => {
  test.each([
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-Hans-CN', 'zh-Hans'],
    ['zh-SG', 'zh-Hans'],
    ['ZH-cn', 'zh-Hans'],
    ['zh-Hans-HK', 'zh-Hans'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-Hans'],
    ['en-GB,en;q=0.9,zh;q=0.8', 'en'],
    ['tlh-TL,zh-CN;q=0.5,en;q=0.4', 'zh-Hans'],
    ['en;q=0.2, zh;q=0.7', 'zh-Hans'],
    ['zh;q=0, en;q=0.1', 'en'],
    ['zh-TW', 'en'],
    ['ja', 'ja'],
    ['ja-JP', 'ja'],
    ['ko', 'ko'],
    ['ko-KR', 'ko'],
    ['zh-Hant,zh-CN;q=0.5', 'zh-Hans'],
    ['ar', 'ar'],
    ['ar-EG', 'ar'],
    ['ar-SA,ar;q=0.9,en;q=0.8', 'ar'],
    ['de-AT', 'de'],
    ['de-CH,fr;q=0.9', 'de'],
    ['fr-CA', 'fr'],
    ['fr-CH,de;q=0.9', 'fr'],
    ['es', 'es'],
    ['es-ES', 'es'],
    ['es-MX,es;q=0.9,en;q=0.8', 'es'],
    ['es-419', 'es'],
    ['pt', 'pt-BR'],
    ['pt-BR', 'pt-BR'],
    ['pt-PT,en;q=0.5', 'pt-BR'],
    ['tlh', 'en'],
    ['*', 'en'],
  ])('%s: %s', (acceptLanguage, expected) => {
    expect(negotiateLocale({ acceptLanguage })).toBe(expected)
  })
})

describe('negotiateLocale ranks the wishes', () => {
  test('the cookie is the person and comes first', () => {
    expect(negotiateLocale({ cookie: 'en', uiLocales: 'zh', acceptLanguage: 'zh' })).toBe('en')
  })
  test('then ui_locales, in its own order', () => {
    expect(negotiateLocale({ uiLocales: 'tlh zh-CN en', acceptLanguage: 'en' })).toBe('zh-Hans')
  })
  test('an unknown cookie is no choice', () => {
    expect(negotiateLocale({ cookie: 'xx', acceptLanguage: 'zh' })).toBe('zh-Hans')
  })
  test('nothing asked for is English', () => expect(negotiateLocale({})).toBe('en'))
})

describe('negotiateLocale gives only what is offered', () => {
  test('a language that is not offered is passed over, also in the cookie', () => {
    const onlyEnglish = { default: 'en', offered: ['en'] } as const
    const wishes = { cookie: 'zh-Hans', uiLocales: 'zh', acceptLanguage: 'zh' }
    expect(negotiateLocale(wishes, onlyEnglish)).toBe('en')
  })
  test('an unknown language gets the default of the portal', () => {
    const chineseFirst = { default: 'zh-Hans', offered: ['en', 'zh-Hans'] } as const
    expect(negotiateLocale({ acceptLanguage: 'tlh, xx;q=0.5' }, chineseFirst)).toBe('zh-Hans')
    expect(negotiateLocale({ acceptLanguage: 'tlh, en;q=0.5' }, chineseFirst)).toBe('en')
    expect(negotiateLocale({ acceptLanguage: 'zh-TW' }, chineseFirst)).toBe('zh-Hans')
  })
})

describe('negotiateLocale survives garbage', () => {
  test.each([
    '',
    ';;;,,,',
    'q=1',
    'zh;q=NaN',
    'zh;q=9e99',
    'zh;q=-1',
    '\u0000\u0001',
    '__proto__',
    '-'.repeat(100_000),
    'xx,'.repeat(100_000),
  ])('%#', (garbage) => {
    expect(negotiateLocale({ cookie: garbage, uiLocales: garbage, acceptLanguage: garbage })).toBe(
      'en',
    )
  })
})
