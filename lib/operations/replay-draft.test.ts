import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import { applyConfiguration } from '../api/configuration/apply'
import { theOperator } from '../api/configuration/operator'
import { configurationSchema } from '../api/configuration/schema'
import { untypedClientFor } from '../api/http/client'
import { changeSchema } from '../api/impact/change'
import { getGroup } from '../api/permissions/groups'
import { draftOf } from '../api/replay/draft'
import { createOp, type OpenOp } from '../op'
import { readConfig } from '../settings/config'

const PERMISSIONS = ['stock:read', 'stock:refund', 'stock:close']
const SPACE = {
  key: 'shop',
  name: 'The shop',
  resources: [
    {
      prefix: 'stock',
      audience: 'https://stock.example.com',
      name: 'Stock',
      permissions: PERMISSIONS.map((key) => ({ key })),
    },
  ],
  roles: [
    { key: 'clerk', name: 'Clerk', permissions: [{ pattern: 'stock:read' }] },
    { key: 'chief', name: 'Chief', permissions: [{ pattern: 'stock:*' }] },
  ],
}
const APPLICATION = { id: 'shop-backend', kind: 'machine', name: 'Shop', grants: ['stock:read'] }
const KEY = { accessKey: 'ak_nightly', name: 'Nightly', scopes: ['stock:read'] }
const OTHER = { id: 'shop-reports', kind: 'machine', name: 'Reports', grants: ['stock:read'] }
const TEAM = { key: 'team', name: 'Team', members: ['ann'] }
const assigned = (role: string, id: string) => ({
  space: 'shop',
  role,
  subject: { type: 'group', id },
})

const attribute = (inConditions: boolean) => ({
  key: 'team',
  name: 'Team',
  type: 'string',
  seenBy: 'admins',
  changedBy: 'admins',
  inConditions,
})

const START = {
  version: 1,
  settings: { userAttributes: [attribute(true), { ...attribute(false), key: 'level' }] },
  spaces: [SPACE],
  users: ['ann', 'ben', 'cat', 'dan'].map((name) => ({
    id: `usr_${name}`,
    username: name,
    attributes: { team: 'a', level: 'b' },
  })),
  groups: [TEAM, { key: 'old', name: 'Old', members: ['cat'] }],
  applications: [
    { ...APPLICATION, keys: [KEY] },
    { ...OTHER, keys: [{ ...KEY, accessKey: 'ak_reports' }] },
  ],
  assignments: [assigned('clerk', 'team'), assigned('chief', 'old')],
}

describe.each(KINDS)('a draft of the policy on %s', (kind) => {
  let op: OpenOp
  const by = { ...theOperator(), env: process.env }

  beforeAll(async () => {
    const DATABASE_URL = await freshDatabase[kind]()
    const env = { DATABASE_URL, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }
    op = await createOp(readConfig(env))
    const options = { env: {}, dryRun: false }
    await applyConfiguration(op, configurationSchema.parse(START), options)
  })
  afterAll(() => op.close())

  const users = START.users.map(({ id }) => id)
  const clients = ['shop-backend', 'ak_nightly', 'shop-reports', 'ak_reports']

  /** Before and with the draft: the roles of the users, and what the clients hold. */
  async function seenWith(draft: { file?: object; changes?: unknown[] }) {
    const { after } = await draftOf(
      op,
      {
        space: 'shop',
        changes: (draft.changes ?? []).map((one) => changeSchema.parse(one)),
        file: draft.file && configurationSchema.parse(draft.file),
      },
      by,
    )
    const before = await op.latestSnapshot({ users, clients })
    const [had, has] = [before, after(before)].map(({ policy, credentials }) => ({
      roles: users.map((id) =>
        (policy.users.get(id)?.assignments ?? []).map(
          ({ roleId }) => policy.roles.get(roleId)?.key,
        ),
      ),
      grants: ['shop-backend', 'shop-reports'].map((id) => [
        ...(policy.applications.get(id)?.grants.exact.keys() ?? []),
      ]),
      keys: ['ak_nightly', 'ak_reports'].map((id) => credentials.get(id)?.accessKey?.scopes),
    }))
    return { had, has }
  }

  test('a file changes an application, its key and groups', async () => {
    const key = { ...KEY, scopes: ['stock:read', 'stock:refund'] }
    const file = {
      version: 1,
      prune: ['groups', 'applications', 'assignments'],
      groups: [{ ...TEAM, members: ['ben'] }],
      applications: [{ ...APPLICATION, grants: ['stock:read', 'stock:refund'], keys: [key] }],
      assignments: [assigned('clerk', 'team'), assigned('chief', 'team')],
    }
    const { had, has } = await seenWith({ file })
    expect(had).toEqual({
      roles: [['clerk'], [], ['chief'], []],
      grants: [['stock:read'], ['stock:read']],
      keys: [['stock:read'], ['stock:read']],
    })
    expect(has).toEqual({
      roles: [[], expect.toSatisfy((all: string[]) => all.sort().join() === 'chief,clerk'), [], []],
      grants: [['stock:read', 'stock:refund'], []],
      keys: [['stock:read', 'stock:refund'], undefined],
    })
    expect((await seenWith({ changes: [] })).had).toEqual(had)
  })

  test('an attribute that a file hides is hidden from conditions about everybody', async () => {
    const attributesWith = async (userAttributes: object[]) => {
      const file = configurationSchema.parse({ version: 1, settings: { userAttributes } })
      const draft = await draftOf(op, { changes: [], file }, by)
      const today = await op.latestSnapshot({ users, clients })
      const { policy, readsMore } = draft.after(today)
      return [policy.users.get('usr_dan')?.attributes, readsMore]
    }
    const level = { ...attribute(false), key: 'level' }
    expect(await attributesWith([attribute(false), level])).toEqual([{}, false])
    // What was hidden then is not known, so it is said instead.
    expect(await attributesWith([attribute(true), { ...level, inConditions: true }])).toEqual([
      { team: 'a' },
      true,
    ])
  })

  test('a role for a group is a role for its members, and for nobody else', async () => {
    const { caller, incoming } = by
    const call = untypedClientFor(op, caller, incoming)
    const { body } = await call(getGroup, { params: { group: 'team' } })
    const { id } = body as { id: string }
    const change = { kind: 'assign', role: 'chief', subject: { type: 'group', id } }
    const { has } = await seenWith({ changes: [change] })
    expect(has?.roles).toEqual([['clerk', 'chief'], [], ['chief'], []])
  })
})
