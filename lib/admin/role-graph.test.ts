import { describe, expect, test } from 'vitest'
import { NODE, roleGraph } from './role-graph'

const role = (key: string, ...parents: string[]) => ({ id: `rol_${key}`, key, name: key, parents })

describe('roleGraph', () => {
  test('what holds more stands above: each role over the highest of its parents', () => {
    const { nodes } = roleGraph([
      role('chief', 'clerk', 'auditor'),
      role('clerk', 'reader'),
      role('auditor'),
      role('reader'),
    ])
    const row = (key: string) =>
      (nodes.find((node) => node.role.key === key)?.y ?? -1) / (NODE.height + 44)
    expect(['reader', 'auditor', 'clerk', 'chief'].map(row)).toEqual([2, 2, 1, 0])
  })

  test('an edge for each parent, and none to what is not there', () => {
    const { edges } = roleGraph([role('a'), role('b', 'a', 'elsewhere'), role('c', 'a', 'b')])
    const named = edges.map(({ from, to }) => `${from.role.key}>${to.role.key}`)
    expect(named.sort()).toEqual(['b>a', 'c>a', 'c>b'])
  })

  test('roles that stand alone are not drawn', () => {
    expect(roleGraph([role('alone'), role('other')])).toEqual({
      nodes: [],
      edges: [],
      width: 0,
      height: 0,
    })
  })

  test('nothing lies on anything else, and all of it inside', () => {
    const many = Array.from({ length: 9 }, (_, at) => role(`r${at}`, 'top'))
    const { nodes, width, height } = roleGraph([role('top'), ...many])
    const places = new Set(nodes.map(({ x, y }) => `${x} ${y}`))
    expect(places.size).toBe(10)
    expect(Math.max(...nodes.map(({ x }) => x + NODE.width))).toBe(width)
    expect(Math.max(...nodes.map(({ y }) => y + NODE.height))).toBe(height)
  })
})
