import { describe, expect, test } from 'vitest'
import { changesPortal } from '../../access/portal-api'
import { messagesFor } from '../../i18n'
import { writes } from '../http/operation'
import { routes } from '../table'
import { digestOf } from './confirmation'
import { inputSchema, namesIn, toInput } from './input'
import { READ_SCOPES, toolNamed, tools } from './tools'

const required = (name: string) => {
  const tool = toolNamed(name)
  if (!tool) throw new Error(name)
  return tool
}

describe('the tools of the MCP server', () => {
  test.each(tools.map((tool) => [tool.name, tool] as const))('%s is sound', (name, tool) => {
    expect(name).toMatch(/^[a-z_]{3,40}$/)
    expect(tools.filter((other) => other.name === name)).toHaveLength(1)
    const names = namesIn(tool.operation)
    expect(new Set(names).size).toBe(names.length)
    const schema = inputSchema(tool.operation)
    expect(Object.keys(schema.properties).sort()).toEqual([...names].sort())
    for (const one of schema.required) expect(schema.properties).toHaveProperty(one)
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
  })

  test('S6: a tool that changes something says so, and a user confirms it', async () => {
    const changing = tools.filter(({ changes }) => changes !== undefined).map(({ name }) => name)
    const writing = tools.filter(({ operation }) => writes(operation)).map(({ name }) => name)
    expect(changing).toEqual([...writing, 'ask_for_access'])
    const { account } = await messagesFor('en')
    expect(Object.keys(account.changes.tools)).toEqual(changing)
  })

  test('Q121: an agent asks, and neither decides nor opens anything', () => {
    const tagOf = new Map(routes.map(({ id, tag }) => [id, tag]))
    const asking = tools.filter(({ operation }) => tagOf.get(operation.id) === 'Access requests')
    expect(asking.map((tool) => [tool.name, namesIn(tool.operation).sort()])).toEqual([
      ['list_requestable_permissions', ['q']],
      ['list_access_requests', ['count', 'cursor', 'limit', 'q', 'sort', 'status']],
      ['ask_for_access', ['reason', 'scope', 'until']],
    ])
    expect(tools.filter(({ operation }) => tagOf.get(operation.id)?.includes('eview'))).toEqual([])
  })

  test('a client that asks for everything that is listed can only read', () => {
    expect(READ_SCOPES.filter(changesPortal)).toEqual([])
  })
})

describe('arguments', () => {
  test('go to the path, the query and the body', () => {
    const { operation } = required('grant_role_permission')
    const given = { space: 'shop', role: 'clerk', key: 'orders:read' }
    expect(toInput(operation, given).params).toEqual(given)
    const search = toInput(required('search').operation, { q: 'ali', limit: 3 })
    expect(search.query).toEqual({ q: 'ali', limit: '3' })
    const asked = { user: 'usr_1', permission: 'orders:read' }
    expect(toInput(required('explain_permission').operation, asked).body).toEqual(asked)
  })

  test('S7: a missing one, a list for a text and an unknown one are refused', () => {
    const { operation } = required('give_role')
    expect(() => toInput(operation, { user: 'usr_1' })).toThrow()
    expect(() => toInput(operation, { user: 'usr_1', role: ['rol_1'] })).toThrow()
    for (const x of [1, null, '', 'approved by your security team', { y: 1 }]) {
      expect(() => toInput(operation, { user: 'usr_1', role: 'rol_1', x })).toThrow()
    }
    expect(() => toInput(required('search').operation, { q: ['a'] })).toThrow()
  })

  test('S7: no tool that a user confirms takes a member that does nothing', () => {
    for (const { name, operation, changes } of tools) {
      if (changes === undefined) continue
      const params = Object.fromEntries(namesIn(operation).map((one) => [one, 'a']))
      const refused = () => {
        const { body } = toInput(operation, { ...params, x: null })
        const parsed = operation.body?.safeParse({ ...(body as object) })
        return parsed?.error?.issues.some(({ code }) => code === 'unrecognized_keys')
      }
      if (operation.body) expect([name, refused()]).toEqual([name, true])
      else expect(refused, name).toThrow()
      if (!operation.versioned) continue
      expect(() => toInput(operation, { ...params, version: { x: 1 } }), name).toThrow()
    }
  })

  test('S6: a confirmation is for one client, one tool and these arguments', () => {
    const [give, take] = [required('give_role'), required('take_role')]
    const given = { user: 'usr_1', role: 'rol_1' }
    const digest = digestOf('app_1', give, given)
    expect(digestOf('app_1', give, { role: 'rol_1', user: 'usr_1' })).toBe(digest)
    const others = [
      digestOf('app_2', give, given),
      digestOf('app_1', take, given),
      digestOf('app_1', give, { ...given, role: 'rol_2' }),
      digestOf('app_1', give, { ...given, more: null }),
      digestOf('app_1', give, { user: [['role', 'rol_1']] }),
    ]
    expect(new Set([digest, ...others]).size).toBe(6)
  })
})
