import { describe, expect, test } from 'vitest'
import { mistakeIn } from '../../../e2e/support/problem-in'
import {
  attributesSchema,
  emailSchema,
  localeSchema,
  profileSchema,
  usernameSchema,
} from './person'

/** What the API takes about a user. */

describe('M26: an address', () => {
  test.each<[string, string]>([
    ['ada@example.org', 'none'],
    [' ada@example.org ', 'none'],
    ['ada+shop@mail.example.org', 'none'],
    ['ada@example.org,eve@evil.example', 'one_email_needed'],
    ['ada@example.org\r\nBcc: eve@evil.example', 'one_email_needed'],
    ['ada@example.org\u200b', 'one_email_needed'],
    ['ada@', 'email_needed'],
    ['Ada <ada@example.org>', 'email_needed'],
    [`${'a'.repeat(250)}@x.org`, 'email_needed'],
    ['', 'required'],
  ])('%j: %s', (email, mistake) => {
    expect(mistakeIn(emailSchema, email)).toBe(mistake)
  })

  test('is stored in one form, however wide its letters are', () => {
    expect(emailSchema.parse(' ａda＠example.org ')).toBe('ada@example.org')
  })

  test('does not get a comma by being put into that form', () => {
    // U+FF0C becomes a comma in NFKC; what was checked as typed is parsed again afterwards.
    expect(mistakeIn(emailSchema, 'ada@example.org，eve@evil.example')).toBe('email_needed')
  })
})

describe('M27: a user name', () => {
  test.each<[string, string]>([
    ['ada', 'none'],
    ['ada.b_c-9', 'none'],
    ['ада', 'none'],
    ['x'.repeat(64), 'none'],
    ['x'.repeat(65), 'username_shape'],
    ['аdmin', 'one_alphabet'],
    ['ada b', 'username_shape'],
    ['ada@example.org', 'username_shape'],
    ['ada\u200d', 'username_shape'],
    ['.', 'username_shape'],
    ['..', 'username_shape'],
    ['．．', 'username_shape'],
    ['_-_', 'username_shape'],
    ['.a', 'none'],
    ['usr_ada', 'username_like_id'],
    ['USR_ada', 'username_like_id'],
    ['ｕsr_ada', 'username_like_id'],
  ])('%j: %s', (name, mistake) => {
    expect(mistakeIn(usernameSchema, name)).toBe(mistake)
  })
})

test.each<[string, string]>([
  ['en', 'none'],
  ['zh-Hans-CN', 'none'],
  ['e', 'language_tag'],
  ['english', 'language_tag'],
  ['en_US', 'language_tag'],
  ['../../etc', 'language_tag'],
  [`en${'-abcdefgh'.repeat(4)}`, 'too_long'],
])('the language %j: %s', (locale, mistake) => {
  expect(mistakeIn(localeSchema, locale)).toBe(mistake)
})

describe('attributes', () => {
  test('have names that conditions can read', () => {
    expect(mistakeIn(attributesSchema, { branch: 'Bern', _x9: [1, { a: null }] })).toBe('none')
    for (const key of ['9th', 'a-b', 'a.b', 'x'.repeat(65)])
      expect([key, mistakeIn(attributesSchema, { [key]: 1 })]).toEqual([key, 'attribute_shape'])
  })

  test('are limited each, and all together in bytes', () => {
    expect(mistakeIn(attributesSchema, { a: 'x'.repeat(4_097) })).toBe('too_long')
    // Two bytes each: the characters alone would fit.
    const wide = { a: 'ü'.repeat(2_500), b: 'ü'.repeat(2_500) }
    expect(mistakeIn(attributesSchema, wide)).toBe('too_many_bytes')
    expect(mistakeIn(attributesSchema, { a: 'u'.repeat(2_500), b: 'u'.repeat(2_500) })).toBe('none')
  })
})

describe('OpenID Connect Core §5.1: a profile', () => {
  test.each<[object, string]>([
    [{}, 'none'],
    [{ given_name: 'Ada', address: { formatted: 'Lane 1\nBern', country: 'CH' } }, 'none'],
    [{ given_name: 'A\nda' }, 'control_characters'],
    [{ given_name: 'A\u202eda' }, 'not_plain'],
    [{ picture: 'http://x.example/a.png' }, 'https_needed'],
    [{ picture: 'data:image/png;base64,AAAA' }, 'https_needed'],
    [{ website: 'http://ada.example' }, 'none'],
    [{ website: 'javascript:alert(1)' }, 'web_address_needed'],
    [{ profile: 'ftp://ada.example' }, 'web_address_needed'],
    [{ birthdate: '1815-12-10' }, 'none'],
    [{ birthdate: '1815' }, 'none'],
    [{ birthdate: '10.12.1815' }, 'birthdate_needed'],
    [{ zoneinfo: 'Europe/Bern' }, 'time_zone_needed'],
    [{ zoneinfo: 'Europe/Zurich' }, 'none'],
    [{ phone_number: '+41 31 320 00 00' }, 'none'],
    [{ phone_number: '<b>1</b>' }, 'phone_needed'],
    [{ phone_number_verified: 'yes' }, 'yes_or_no_needed'],
    [{ address: { street: 'Lane 1' } }, 'unrecognized_keys'],
    [{ sub: 'usr_1' }, 'unrecognized_keys'],
    [{ email: 'ada@example.org' }, 'unrecognized_keys'],
  ])('%j: %s', (profile, mistake) => {
    expect(mistakeIn(profileSchema, profile)).toBe(mistake)
  })
})
