import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { credential, form, refusalIn } from '../../e2e/support/protocol'
import type { Application } from './client'
import { proves, readChallenge, teachesPkce } from './pkce'

/** RFC 7636, and RFC 9700 §2.1.1: S256 only. */

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
/** RFC 7636 Appendix B. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const S256 = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }

describe('readChallenge', () => {
  const open: Partial<Application> = {}
  const required: Partial<Application> = { pkce: 'required' }
  const learned: Partial<Application> = { pkce: 'learned', pkceLearned: true }
  const anybody: Partial<Application> = { kind: 'spa', authMethods: ['none'] }

  test.each<[string, Partial<Application>, Record<string, string>, string | null]>([
    ['a challenge', open, S256, CHALLENGE],
    ['none, where none is required', open, {}, null],
    [
      'C1: none, where it is required (RFC 7636 §4.4.1)',
      required,
      {},
      'invalid_request pkce_missing',
    ],
    ['none, before the application has used it', { pkce: 'learned' }, {}, null],
    ['C12: none, after the application has used it', learned, {}, 'invalid_request pkce_learned'],
    ['C1: none of a public client, whatever is set', anybody, {}, 'invalid_request pkce_missing'],
    ['a challenge of a public client', anybody, S256, CHALLENGE],
    [
      'C2: plain',
      open,
      { ...S256, code_challenge_method: 'plain' },
      'invalid_request code_challenge',
    ],
    [
      'C2: no method, which means plain (§4.3)',
      open,
      { code_challenge: CHALLENGE },
      'invalid_request code_challenge',
    ],
    [
      'C2: a method in other case',
      open,
      { ...S256, code_challenge_method: 's256' },
      'invalid_request code_challenge',
    ],
    [
      'C3: a method alone',
      open,
      { code_challenge_method: 'S256' },
      'invalid_request code_challenge',
    ],
    [
      'C4: one character too few',
      open,
      { ...S256, code_challenge: 'x'.repeat(42) },
      'invalid_request code_challenge',
    ],
    [
      'C4: one too many',
      open,
      { ...S256, code_challenge: 'x'.repeat(44) },
      'invalid_request code_challenge',
    ],
    [
      'C4: padding',
      open,
      { ...S256, code_challenge: `${CHALLENGE}=` },
      'invalid_request code_challenge',
    ],
    [
      'C4: plain base64',
      open,
      { ...S256, code_challenge: `${'x'.repeat(42)}+` },
      'invalid_request code_challenge',
    ],
  ])('%s', async (_what, application, fields, outcome) => {
    const rules = { portalRequires: false }
    const read = () => readChallenge(credential(application).application, rules, form(fields))
    if (outcome?.startsWith('invalid_request')) expect(await refusalIn(read)).toBe(outcome)
    else expect(read()).toBe(outcome)
  })
})

test('C12: the portal can require it of every application', async () => {
  const read = (fields: Record<string, string>) =>
    readChallenge(credential().application, { portalRequires: true }, form(fields))
  expect(await refusalIn(() => read({}))).toBe('invalid_request pkce_portal')
  expect(read(S256)).toBe(CHALLENGE)
})

describe('C13: only a successful exchange by an authenticated client teaches PKCE', () => {
  const { application } = credential({ pkce: 'learned' })
  const client = { id: application.id, application, accessKey: null, confidential: true }
  test.each<[string, Partial<typeof client>, boolean]>([
    ['it has not used it before', {}, true],
    ['it did not authenticate', { confidential: false }, false],
    ['it has used it', { application: { ...application, pkceLearned: true } }, false],
    ['it is required', { application: { ...application, pkce: 'required' } }, false],
    ['it is not required', { application: { ...application, pkce: 'not_required' } }, false],
  ])('%s', (_what, more, teaches) => {
    expect(teachesPkce({ ...client, ...more })).toBe(teaches)
  })
})

describe('proves (RFC 7636 §4.6)', () => {
  const challengeOf = (verifier: string) =>
    createHash('sha256').update(verifier).digest('base64url')
  const short = 'x'.repeat(42)
  const long = 'x'.repeat(129)
  const longest = '~.'.repeat(64)

  test.each<[string, string | null, string | undefined, boolean]>([
    ['the right verifier', CHALLENGE, VERIFIER, true],
    ['the longest one', challengeOf(longest), longest, true],
    ['neither', null, undefined, true],
    ['C5: no verifier', CHALLENGE, undefined, false],
    ['C6: another verifier', CHALLENGE, 'x'.repeat(43), false],
    ['C7: a verifier without a challenge (RFC 9700 §4.8.2)', null, VERIFIER, false],
    ['C8: too short (§4.1)', challengeOf(short), short, false],
    ['C8: too long (§4.1)', challengeOf(long), long, false],
    ['C8: a character that is not allowed', challengeOf(`${VERIFIER} `), `${VERIFIER} `, false],
    ['C9: padding', CHALLENGE, `${VERIFIER}=`, false],
    ['C9: other case', CHALLENGE, VERIFIER.toLowerCase(), false],
    ['the challenge itself, as plain would have it', CHALLENGE, CHALLENGE, false],
    ['an empty one', CHALLENGE, '', false],
  ])('%s', (_what, challenge, verifier, good) => expect(proves(challenge, verifier)).toBe(good))
})
