import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { temporaryFolder } from '../../../e2e/support/folder'
import { applyConfiguration } from '../../api/configuration/apply'
import { configurationSchema } from '../../api/configuration/schema'
import { asGiven, newRequest, refusedNow, requireRequestable } from '../../api/requests/create'
import { give } from '../../api/requests/decide'
import { createOp, type OpenOp } from '../../op'
import { readConfig } from '../../settings/config'
import { insertAccessRequest } from '../../store/access-requests'
import { removeApi } from '../../store/apis'

const named = (id: string) => ({ type: 'user', id })

describe.each(KINDS)('what was opened in an emergency, over time, on %s', (kind) => {
  let op: OpenOp
  const time = Date.now()

  beforeAll(async () => {
    const config = readConfig({
      DATABASE_URL: await freshDatabase[kind](),
      ...{ DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' },
      ...{ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'id@example.com' },
    })
    op = await createOp(config, () => new Date(time))
    const names = ['root', 'anna', 'ben', 'cleo']
    await apply({
      users: names.map((username) => ({
        ...{ username, email: `${username}@x.org`, emailVerified: true },
        ...(username === 'root' && { adminRole: 'owner' }),
      })),
    })
  })
  afterAll(() => op.close())

  const apply = (more: object) =>
    applyConfiguration(op, configurationSchema.parse({ version: 1, ...more }), {
      ...{ env: {}, dryRun: false },
    })
  const idOf = async (username: string) => (await op.users.idOf(username)) ?? ''

  /** An API whose permission Anna opens alone, and Ben reviews. */
  async function vault(prefix: string): Promise<string> {
    const permissions = ['open', 'read'].map((one) => ({
      ...{ key: `${prefix}:${one}`, needsRole: true },
    }))
    const resource = { prefix, name: prefix, audience: `https://${prefix}.test`, permissions }
    const stages = [{ approvers: [named('ben'), named('cleo')] }]
    const emergency = { people: [named('anna')], reviewers: [named('ben')], reviewSeconds: 7200 }
    await apply({
      spaces: [{ key: prefix, name: prefix, resources: [resource] }],
      requestRules: [
        { api: prefix, name: 'Opening', patterns: [`${prefix}:open`], stages, emergency },
      ],
    })
    return (await op.db.api.findUniqueOrThrow({ where: { prefix } })).id
  }

  async function askedBy(userId: string, scope: string) {
    const refused = await refusedNow(op, userId, scope)
    const whole = { reason: 'It does not answer', until: null, emergency: true, callback: null }
    const requestable = await requireRequestable(op, refused, '/scope')
    return { asked: { refused, ...whole, madeBy: null }, requestable }
  }
  const removed = async (apiId: string) => {
    const { id, version } = await op.db.api.findUniqueOrThrow({ where: { id: apiId } })
    return op.changePolicy((tx) => removeApi(tx, { id, version }, op.now()))
  }
  const grantsOf = (requestId: string) => op.db.grant.findMany({ where: { requestId } })

  test('Q75: an API that is deleted while something of it is given leaves nothing behind', async () => {
    const apiId = await vault('race')
    const { asked, requestable } = await askedBy(await idOf('anna'), 'race:open')
    const request = newRequest(op, asked, requestable.item, requestable.rule)
    let given = () => {}
    let goOn = () => {}
    const isGiven = new Promise<void>((done) => {
      given = done
    })
    const mayGoOn = new Promise<void>((done) => {
      goOn = done
    })
    const giving = op.changePolicy(async (tx) => {
      await insertAccessRequest(tx, request)
      expect(await give(op, tx, asGiven(op, request))).not.toBeNull()
      given()
      await mayGoOn
    })
    await isGiven
    const removing = removed(apiId)
    await sleep(300)
    goOn()
    await Promise.all([giving, removing])
    expect(await grantsOf(request.id)).toEqual([])
  })
})
