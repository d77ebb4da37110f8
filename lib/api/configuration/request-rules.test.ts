import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { type Operations, openOperations } from '../../../e2e/support/operations'
import { listRequestRules } from '../requests/rule-routes'

const person = (id: string) => ({ type: 'user', id })
const PERMISSION = { key: 'orders:read', needsRole: true }
const ORDERS = { prefix: 'orders', name: 'Orders', audience: 'https://orders.test' }

describe.each(usually('sqlite'))('the request rules of a document, on %s', (kind) => {
  let portal: Operations

  beforeAll(async () => {
    const resources = [{ ...ORDERS, permissions: [PERMISSION] }]
    portal = await openOperations(kind, {
      users: ['ada', 'ben', 'cleo', 'dan'].map((username) => ({ username })),
      spaces: [{ key: 'shop', name: 'Shop', resources }],
    })
  })
  afterAll(() => portal.close())

  describe('a request rule', () => {
    const stage = (...ids: string[]) => ({ approvers: ids.map(person) })
    const rule = (...stages: object[]) => ({
      requestRules: [{ api: 'orders', name: 'Reading', patterns: ['orders:read'], stages }],
    })
    const [first, second] = [stage('ada', 'ben'), stage('cleo', 'dan')]
    const firstAsked = async () => {
      const { body } = await portal.ask(portal.owner, listRequestRules)
      return body.data[0].stages[0].approvers.map(({ id }: { id: string }) => id)
    }

    test('that leaves out what the API takes for granted is applied once', async () => {
      expect(await portal.apply(rule(first, second))).toEqual(['+ request rule orders/Reading'])
      expect(await portal.apply(rule(first, second))).toEqual([])
    })

    test('whose stages change places is changed', async () => {
      expect(await portal.apply(rule(second, first))).toEqual([
        '~ request rule orders/Reading: stages',
      ])
      expect(await firstAsked()).toEqual([await portal.idOf('cleo'), await portal.idOf('dan')])
      expect(await portal.apply(rule(second, first))).toEqual([])
    })
  })
})
