import { describe, expect, test } from 'vitest'
import { ConditionError, compileCondition, requireMeetable } from './condition'
import { CONDITION_EXAMPLES, CONDITION_MEMBERS } from './condition-examples'
import { compileStored } from './stored-condition'

function mistakeIn(source: string): ConditionError | null {
  try {
    requireMeetable(source)
    return null
  } catch (error) {
    if (error instanceof ConditionError) return error
    throw error
  }
}

describe('a condition on what cannot exist', () => {
  test.each<[condition: string, message: string]>([
    ['request.useragent == "x"', 'request.useragent does not exist: use request.user_agent'],
    ['request.userAgent == "x"', 'request.userAgent does not exist: use request.user_agent'],
    ['request.tim == request.time', 'request.tim does not exist: use request.time'],
    ['request["gant_type"] == "x"', 'request.gant_type does not exist: use request.grant_type'],
    [
      'client.applicationId == "x"',
      'client.applicationId does not exist: use client.application_id',
    ],
    ['client.ip == "10.0.0.1"', 'client.ip does not exist: use request.ip'],
    ['request.acr == "mfa"', 'request.acr does not exist: use auth.acr'],
    ['has(auth.level)', 'auth.level does not exist: use auth.acr, auth.amr, auth.age'],
    [
      'resource.owner == user.id',
      'resource.owner does not exist: use resource.properties.owner, resource.audience, resource.scope, resource.type, resource.id, resource.properties',
    ],
    [
      'request.branch == user.branch',
      'request.branch does not exist: use request.context.branch, request.time, request.ip, request.user_agent, request.grant_type, request.exchange, request.context',
    ],
    ['subject.propertys.x == 1', 'subject.propertys does not exist: use subject.properties'],
    ['action.nam == "x"', 'action.nam does not exist: use action.name'],
    ['true || [1].exists(one, request.x == one)', expect.stringContaining('request.x does not')],
    ['request.toString == "x"', expect.stringContaining('request.toString does not exist')],
  ])('%s is refused, with a suggestion', (condition, message) => {
    expect(mistakeIn(condition)?.message).toEqual(message)
  })

  test('says where it is', () => {
    const source = 'auth.age < 300.0 && request.adress == "x"'
    expect(mistakeIn(source)?.position).toEqual({
      start: source.indexOf('request.adress'),
      end: source.indexOf(' == "x"'),
    })
  })

  test.each([
    ...Object.values(CONDITION_EXAMPLES),
    ...CONDITION_MEMBERS.map((member) => `has(${member})`),
    'user.whatever == "x"',
    'user["what ever"] == "x"',
    'request.context.branch == resource.properties.branch',
    'subject.properties.a.b == action.properties.c',
    'user.teams.exists(request, request.lead == true)',
    '"foo" in request',
  ])('%s is accepted', (condition) => {
    expect(mistakeIn(condition)).toBeNull()
  })

  test('that was saved before still answers as it did', () => {
    const source = 'request.useragent == "x"'
    expect(compileCondition(source).source).toBe(source)
    const context = { request: { time: new Date() }, client: {}, resource: {}, user: {} }
    const whole = { ...context, auth: {}, subject: {}, action: {} }
    expect(compileStored(source).evaluate(whole)).toBe('context_missing')
  })
})
