import fc, { type Arbitrary } from 'fast-check'

/** What nobody means well with, or did not think about. */

const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800', // half a character
  '\udc00x',
  '\ufffe',
  '\u202eevil',
  '\r\nSet-Cookie: a=b',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '%00',
  '%zz',
  '%ff%fe',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  'NaN',
  '-0',
  '1e999',
  '9'.repeat(40),
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.000Z', // the last moment that a Date knows
  '-271821-04-20T00:00:00.000Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  'http://[::1',
  'https://user:pw@example.org',
  'javascript:alert(1)',
  '＜fullwidth＞',
  'İ',
  'ß',
  'a'.repeat(300),
  'é'.repeat(2_000),
  'x'.repeat(20_000),
]

export const nastyText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string({ unit: 'binary', maxLength: 60 }),
)

export const nastyValue: Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.constantFrom<unknown>(null, true, -1, 0.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, [], {}, [[]]),
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
)

/** Bodies that are no JSON, or not as anybody would write it. */
export const BROKEN_BODIES = [
  '',
  'null',
  '[]',
  '0',
  '"text"',
  '{',
  '{"a":1,}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{}}}',
  '{"name":"a","name":"b"}',
  '\ufeff{}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `{"a":${'9'.repeat(400)}}`,
]

/** One member somewhere in it is replaced, added or gone. */
export function spoiled(good: unknown, at: (most: number) => number, junk: unknown): unknown {
  if (typeof good !== 'object' || good === null) return junk
  const names = Object.keys(good)
  const name = names[at(names.length + 1)]
  if (name === undefined) return Array.isArray(good) ? [...good, junk] : { ...good, extra: junk }
  const copy: Record<string, unknown> = Array.isArray(good)
    ? (Object.assign([], good) as never)
    : { ...good }
  const member = (good as Record<string, unknown>)[name]
  const deeper = typeof member === 'object' && member !== null && at(3) > 0
  if (at(8) === 0) delete copy[name]
  else copy[name] = deeper ? spoiled(member, at, junk) : junk
  return copy
}
