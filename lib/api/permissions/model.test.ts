import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { temporaryFolder } from '../../../e2e/support/folder'
import { createOp, type OpenOp } from '../../op'
import { readConfig } from '../../settings/config'
import { findRole, parentsIn } from '../../store/permissions/roles'
import { insertSpace } from '../../store/permissions/spaces'
import { saveParents } from '../authority/role-tree'
import { OPERATOR } from '../http/caller'
import { diffOf, modelOf, modelSchema, replaceModel } from './model'

const SPACE = 'spc_test'

describe.each(KINDS)('replacing a model on %s', (kind) => {
  let op: OpenOp

  beforeAll(async () => {
    const DATABASE_URL = await freshDatabase[kind]()
    const env = { DATABASE_URL, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }
    op = await createOp(readConfig(env))
    await op.write((tx) => insertSpace(tx, { id: SPACE, key: 'test', name: 'Test' }, op.now()))
  })
  afterAll(() => op.close())

  const document = (above: string[]) =>
    modelSchema.parse({
      roles: [
        { key: 'a', name: 'A', parents: above },
        { key: 'b', name: 'B' },
      ],
    })

  async function replace(before: ReturnType<typeof document>, after: typeof before) {
    await op.write((tx) =>
      replaceModel(op, tx, { caller: OPERATOR, spaceId: SPACE }, after, diffOf(before, after)),
    )
  }

  test('refuses a circle that somebody else completed since the document was compared', async () => {
    await replace(await modelOf(op, SPACE), document([]))
    const [a, b] = await Promise.all([findRole(op.db, SPACE, 'a'), findRole(op.db, SPACE, 'b')])
    if (!a || !b) throw new Error('the roles are missing')
    const seen = await modelOf(op, SPACE)
    await op.write((tx) => saveParents(tx, SPACE, new Map([[b.id, [a.id]]])))
    await expect(replace(seen, document(['b']))).rejects.toMatchObject({
      message: 'The parent roles would form a cycle.',
    })
    expect(await op.read((db) => parentsIn(db, SPACE))).toEqual(new Map([[b.id, [a.id]]]))
  })
})
