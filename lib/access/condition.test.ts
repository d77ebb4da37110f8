import { describe, expect, test } from 'vitest'
import { ConditionError, compileCondition, compileStored } from './condition'
import type { Context } from './policy'

const context: Context = {
  request: { time: new Date('2026-11-15T12:00:00Z'), ip: '10.1.2.3' },
  client: { id: 'app', application_id: 'app' },
  resource: { scope: 'orders:read' },
  user: { department: 'sales', level: 3 },
  auth: {},
}

describe('a condition', () => {
  test.each([
    ['met', 'inNetwork(request.ip, "10.0.0.0/8")'],
    ['condition_failed', 'inNetwork(request.ip, "192.168.0.0/16")'],
    ['unanswerable', 'inNetwork(request.ip, "nonsense")'],
    ['unanswerable', 'inNetwork(request.ip, "10.0.0.0")'],
    ['unanswerable', 'inNetwork(request.ip, "10.0.0.0/33")'],
    ['unanswerable', '1 / 0 == 1'],
    ['unanswerable', 'int(request.ip) > 3'],
    ['condition_failed', 'inNetwork(request.ip, "2001:db8::/32")'],
    ['met', 'user.department == "sales" && resource.scope == "orders:read"'],
    ['condition_failed', 'user.department == "legal"'],
    ['context_missing', 'auth.acr == "mfa"'],
    ['context_missing', 'user.nothing == "x"'],
    // CEL lets a false term absorb the error of its neighbour, on either side.
    ['condition_failed', 'user.department == "legal" && auth.acr == "mfa"'],
    ['condition_failed', 'auth.acr == "mfa" && user.department == "legal"'],
    ['met', 'user.department == "sales" || auth.acr == "mfa"'],
    ['met', 'auth.acr == "mfa" || user.department == "sales"'],
  ])('%s: %s', (verdict, source) => {
    expect(compileCondition(source).evaluate(context)).toBe(verdict)
  })

  test.each(['user.', 'nobody.name == "x"', '1 + 1', 'inNetwork(1, 2)', 'x'.repeat(3000)])(
    'that is not one is refused: %s',
    (source) => {
      expect(() => compileCondition(source)).toThrow(ConditionError)
    },
  )

  test('that is stored and no longer compiles is never skipped', () => {
    expect(compileStored('user.').evaluate(context)).toBe('unanswerable')
  })
})
