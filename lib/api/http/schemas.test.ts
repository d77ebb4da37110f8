import { describe, expect, test } from 'vitest'
import { mistakeIn, problemIn } from '../../../e2e/support/problem-in'
import {
  chosenAccessKey,
  chosenClientId,
  chosenSecret,
  chosenUserId,
  conditionSchema,
  dateOf,
  dateSchema,
  idSchema,
  iso,
  isYes,
  itemKeySchema,
  keySchema,
  languageSchema,
  logoSchema,
  nameSchema,
  patternSchema,
  prefixSchema,
  requireFuture,
  textSchema,
  wordsSchema,
} from './schemas'

/** What names, keys and values may be, and which sentence says so. */

const none = 'none'

test.each<[string, string]>([
  ['shop', none],
  ['9-lives_of.a.cat', none],
  ['a'.repeat(63), none],
  ['a'.repeat(64), 'key_shape'],
  ['Shop', 'key_shape'],
  ['-shop', 'key_shape'],
  ['shop/a', 'key_shape'],
  ['shop\n', 'key_shape'],
  ['', 'required'],
  ['spc_shop', 'key_like_id'],
  ['rol_1', 'key_like_id'],
  ['grp_1', 'key_like_id'],
  ['my.rol_1', none],
])('the key %j: %s', (key, mistake) => {
  expect(mistakeIn(keySchema, key)).toBe(mistake)
})

describe('N17: a name', () => {
  test.each<[string, string]>([
    ['The shop of Ada & Söhne <b>', none],
    ['订单 🏰', none],
    ['x'.repeat(100), none],
    ['x'.repeat(101), 'too_long'],
    ['   ', 'required'],
    ['two\nlines', 'control_characters'],
    ['bell\u0007', 'control_characters'],
    ['evil\u202egnp.exe', 'not_plain'],
    ['zero\u200bwidth', 'not_plain'],
    ['half \ud83d', 'not_plain'],
  ])('%j: %s', (name, mistake) => {
    expect(mistakeIn(nameSchema, name)).toBe(mistake)
  })

  test('loses the spaces around it', () => {
    expect(nameSchema.parse('  Shop \t')).toBe('Shop')
  })
})

test('a text has one line, words may have several; neither has other control characters', () => {
  expect(mistakeIn(textSchema, 'a\nb')).toBe('control_characters')
  expect(mistakeIn(wordsSchema, 'a\r\n\tb')).toBe(none)
  for (const wrong of ['a\u0000b', 'a\u001bb', 'a\u0085b'])
    expect(mistakeIn(wordsSchema, wrong)).toBe('control_characters')
  expect(mistakeIn(textSchema, '')).toBe(none)
  expect(mistakeIn(wordsSchema, ' \n ')).toBe('required')
  expect(mistakeIn(wordsSchema, 'x'.repeat(1_001))).toBe('too_long')
})

test.each<[string, string]>([
  ['orders', none],
  ['orders.v2', none],
  ['9orders', 'prefix_shape'],
  ['orders:', 'prefix_shape'],
  ['users', 'prefix_reserved'],
  ['audit', 'prefix_reserved'],
  ['gatehouse', 'prefix_reserved'],
  ['users2', none],
])('the prefix %j: %s', (prefix, mistake) => {
  expect(mistakeIn(prefixSchema, prefix)).toBe(mistake)
})

describe('RFC 6749 §3.3: the name of a permission', () => {
  test.each<[string, string]>([
    ['orders:read', none],
    ['https://api.example/read', none],
    ['orders:*', 'permission_star'],
    ['*', 'permission_star'],
    ['openid', 'permission_openid'],
    ['offline_access', 'permission_openid'],
    ['users:write', 'permission_portal'],
    ['orders read', 'printable_needed'],
    ['orders"read', 'printable_needed'],
    ['orders\\read', 'printable_needed'],
    ['заказы:read', 'printable_needed'],
    ['o'.repeat(256), 'too_long'],
  ])('%j: %s', (key, mistake) => {
    expect(mistakeIn(itemKeySchema, key)).toBe(mistake)
  })
})

test.each<[string, string]>([
  ['orders:read', none],
  ['orders:*', none],
  ['users:*', none],
  ['*', 'pattern_shape'],
  ['*:read', 'pattern_shape'],
  ['orders:re*', 'pattern_shape'],
  ['orders:**', 'pattern_shape'],
  [':*', 'pattern_shape'],
])('the pattern %j: %s', (pattern, mistake) => {
  expect(mistakeIn(patternSchema, pattern)).toBe(mistake)
})

describe('an ID of one’s own does not look like that of something else', () => {
  test.each([
    ['a client', chosenClientId, 'shop-web', none],
    ['a client', chosenClientId, 'app_1', none],
    ['a client', chosenClientId, 'usr_1', 'client_id_like_id'],
    ['a client', chosenClientId, 'ak_12', 'client_id_like_id'],
    ['a client', chosenClientId, 'ab', 'client_id_shape'],
    ['a client', chosenClientId, 'https://rp.example', 'client_id_shape'],
    ['a user', chosenUserId, 'usr_ada', none],
    ['a user', chosenUserId, 'usr_ad', 'user_id_shape'],
    ['a user', chosenUserId, 'ada', 'user_id_shape'],
    ['a user', chosenUserId, 'USR_ada', 'user_id_shape'],
    ['an access key', chosenAccessKey, 'ak_nightly', none],
    ['an access key', chosenAccessKey, 'nightly', 'access_key_shape'],
    ['an access key', chosenAccessKey, 'ak_a.b.c', 'access_key_shape'],
  ] as const)('%s %s: %s', (_what, schema, id, mistake) => {
    expect(mistakeIn(schema, id)).toBe(mistake)
  })

  test('nor is it empty, too long, or with a control character', () => {
    expect(['', 'x'.repeat(256), 'a\tb', 'usr_1'].map((id) => mistakeIn(idSchema, id))).toEqual([
      'required',
      'too_long',
      'control_characters',
      none,
    ])
  })
})

test('a secret of one’s own is as long as a generated one, and can be typed', () => {
  const said = ['x'.repeat(31), 'x'.repeat(32), 'x'.repeat(256), `${'x'.repeat(32)} y`]
  expect(said.map((secret) => mistakeIn(chosenSecret, secret))).toEqual([
    'secret_shape',
    none,
    'secret_shape',
    'secret_shape',
  ])
  expect(mistakeIn(chosenSecret, `ü${'x'.repeat(32)}`)).toBe('secret_shape')
})

describe('N17: a logo', () => {
  test.each([
    ['https://cdn.example/logo.png', none],
    ['data:image/png;base64,iVBORw0KGgo=', none],
    ['data:image/webp;base64,UklGRg==', none],
    ['data:image/svg+xml;base64,PHN2Zz4=', 'logo_needed'],
    ['data:text/html;base64,PGI+', 'logo_needed'],
    ['data:image/png;base64,', 'logo_needed'],
    ['data:image/png,raw', 'logo_needed'],
    ['javascript:alert(1)', 'logo_needed'],
    ['http://cdn.example/logo.png', 'logo_needed'],
    ['https://user@cdn.example/logo.png', 'logo_needed'],
    [`data:image/png;base64,${'A'.repeat(65_536)}`, 'too_long'],
  ])('%j: %s', (uri, mistake) => {
    expect(mistakeIn(logoSchema, uri)).toBe(mistake)
  })
})

test('what users read may be said in some languages, in no other, and in plain text', () => {
  expect(mistakeIn(languageSchema, { en: 'Read your orders' })).toBe(none)
  expect(mistakeIn(languageSchema, {})).toBe(none)
  expect(mistakeIn(languageSchema, { tlh: 'x' })).not.toBe(none)
  expect(mistakeIn(languageSchema, { en: 'a\u202eb' })).toBe('not_plain')
})

describe('a time', () => {
  test.each<[string, string]>([
    ['2030-01-31T09:00:00Z', none],
    ['2030-01-31T09:00:00+02:00', none],
    ['1970-01-01T00:00:00Z', none],
    ['9999-12-31T23:59:59Z', none],
    ['1969-12-31T23:59:59Z', 'date_range'],
    // In UTC this is the year 10000, which is written differently.
    ['9999-12-31T23:59:59-01:00', 'date_range'],
    ['2030-01-31', 'date_needed'],
    ['2030-01-31T09:00:00', 'date_needed'],
    ['2030-02-30T09:00:00Z', 'date_needed'],
    ['tomorrow', 'date_needed'],
  ])('%s: %s', (text, mistake) => {
    expect(mistakeIn(dateSchema, text)).toBe(mistake)
  })

  test('comes back as it was stored, and none stays none', () => {
    expect(iso(dateOf('2030-01-31T09:00:00+02:00'))).toBe('2030-01-31T07:00:00.000Z')
    expect([iso(null), dateOf(null)]).toEqual([null, null])
  })

  test('that must lie in the future does not lie at this moment', async () => {
    const now = new Date('2026-11-15T12:00:00Z')
    const told = (after: number) =>
      problemIn(() => requireFuture('/until', new Date(now.getTime() + after), now))
    expect([await told(-1), await told(0), await told(1)]).toEqual([
      'invalid /until future_needed',
      'invalid /until future_needed',
      'not refused',
    ])
    expect(await problemIn(() => requireFuture('/until', null, now))).toBe('not refused')
  })
})

describe('a condition', () => {
  test('is compiled, and its mistake is named with its place', () => {
    expect(mistakeIn(conditionSchema, 'user.branch == "Bern"')).toBe(none)
    const parsed = conditionSchema.safeParse('usr.branch == "Bern"')
    expect(parsed.error?.issues[0]?.message).toContain('condition_variable')
    expect(parsed.error?.issues[0]?.message).toContain('"at":"1"')
  })

  test.each([
    ['"yes"', 'condition_type'],
    ['user.name.matches("a+")', 'condition_matches'],
    ['user.a ==', 'condition_unfinished'],
    ['x'.repeat(2_001), 'condition_long'],
  ])('%s has a sentence of its own', (source, mistake) => {
    expect(mistakeIn(conditionSchema, source)).toBe(mistake)
  })
})

test('in a query, nothing said is neither yes nor no', () => {
  expect([isYes('true'), isYes('false'), isYes(undefined)]).toEqual([true, false, undefined])
})
