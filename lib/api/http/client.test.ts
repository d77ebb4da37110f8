import { expect, test } from 'vitest'
import { usually } from '../../../e2e/support/databases'
import { openOperations } from '../../../e2e/support/operations'
import { incoming } from '../../../e2e/support/protocol'
import { createSpace, listSpaces } from '../permissions/spaces'
import { clientFor } from './client'

test.each(usually('sqlite'))(
  'what a page reads is as new as its first read, and as its own last change, on %s',
  async (kind) => {
    const { op, owner, close } = await openOperations(kind)
    let asked = 0
    const counted = Object.assign(Object.create(op), {
      latestSnapshot: () => {
        asked += 1
        return op.latestSnapshot()
      },
    })
    const call = clientFor(counted, owner, incoming())
    const keys = async () => (await call(listSpaces, {})).body.data.map(({ key }) => key)
    await keys()
    await keys()
    expect(asked).toBe(1)
    await call(createSpace, { body: { key: 'shop', name: 'Shop' } })
    expect(await keys()).toContain('shop')
    await keys()
    expect(asked).toBe(3)
    // It is refused because of what somebody else may have done since.
    await expect(call(createSpace, { body: { key: 'shop', name: 'Shop' } })).rejects.toThrow()
    await keys()
    expect(asked).toBe(5)
    const began = keys()
    await call(createSpace, { body: { key: 'depot', name: 'Depot' } })
    await began
    expect(await keys()).toContain('depot')
    await close()
  },
)
