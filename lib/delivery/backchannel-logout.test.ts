import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import { type Receiver, startReceiver } from '../../e2e/support/receiver'
import type { Op } from '../context/op'
import { seal } from '../crypto/seal'
import { createOp, type OpenOp } from '../op'
import { readConfig } from '../settings/config'
import { findApplication, updateApplication } from '../store/applications/applications'
import { enqueue } from '../store/delivery/outbox'
import { migrate } from '../store/operations/migrations'
import { logoutMessage } from './backchannel-logout'
import { deliverDue } from './deliver'

const LISTS = { branding: {}, redirectUris: [], postLogoutRedirectUris: [], origins: [] }
const MORE = { grantTypes: [], authMethods: [], requiredScopes: [], defaultScopes: [] }
const APP = 'app_x'

describe.each(KINDS)('logouts on their way, on %s', (kind) => {
  let portal: OpenOp
  let old: Receiver
  let current: Receiver
  let time = Date.now()
  let sessions = 0

  beforeAll(async () => {
    ;[old, current] = [await startReceiver(), await startReceiver()]
    const DATABASE_URL = await freshDatabase[kind]()
    await migrate(DATABASE_URL)
    const OUTBOUND_HOSTS = [old, current].map(({ port }) => `localhost:${port}`).join(',')
    const env = { DATABASE_URL, OUTBOUND_HOSTS, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }
    portal = await createOp(readConfig(env), () => new Date(time))
    const stamps = { createdAt: portal.now(), updatedAt: portal.now() }
    await portal.db.application.create({
      data: { id: APP, kind: 'web', name: 'X', ...LISTS, ...MORE, ...stamps },
    })
  })

  beforeEach(async () => {
    for (const one of [old, current]) Object.assign(one, { bodies: [], status: 200 })
    await setAddress(addressOf(old))
  })

  afterAll(async () => {
    await portal.close()
    old.close()
    current.close()
  })

  const addressOf = ({ port }: Receiver) => `http://localhost:${port}/bcl`

  async function setAddress(backchannelLogoutUri: string | null): Promise<void> {
    await portal.write(async (tx) => {
      const before = await findApplication(tx, APP, null)
      if (!before) throw new Error('no application')
      await updateApplication(tx, before, { backchannelLogoutUri }, portal.now())
    })
  }

  async function queued(): Promise<string> {
    sessions += 1
    const notice = { clientId: APP, applicationId: APP, userId: 'usr_x', sessionId: `s${sessions}` }
    const message = logoutMessage(portal.outboxKey, notice, portal.now())
    await portal.write((tx) => enqueue(tx, [message]))
    return message.id
  }

  const row = (id: string) => portal.db.outboxMessage.findUniqueOrThrow({ where: { id } })

  /** `meanwhile` happens after the message was claimed and before its address is read. */
  function changing(meanwhile: () => Promise<void>): Op {
    return {
      ...portal,
      async signingKey(alg) {
        await meanwhile()
        return portal.signingKey(alg)
      },
    } as Op
  }

  test('L14: an address that is removed after the message was claimed gets nothing', async () => {
    const id = await queued()
    await deliverDue(changing(() => setAddress(null)))
    expect(old.bodies).toEqual([])
    expect(await row(id)).toMatchObject({ deliveredAt: null, cancelledAt: portal.now() })
    time += 60_000
    expect(await deliverDue(portal)).toBe(0)
  })

  test('L14: an address that is changed after the message was claimed gets nothing; the new one does', async () => {
    const id = await queued()
    await deliverDue(changing(() => setAddress(addressOf(current))))
    expect([old.bodies.length, current.bodies.length]).toEqual([0, 1])
    expect((await row(id)).deliveredAt).toEqual(portal.now())
  })

  test('L14: a request that was on its way when the address was removed is not tried again', async () => {
    const id = await queued()
    old.status = 500
    const release = old.hold()
    const sending = deliverDue(portal)
    await expect.poll(() => old.bodies.length).toBe(1)
    await setAddress(null)
    release()
    await sending
    expect(await row(id)).toMatchObject({ deliveredAt: null, cancelledAt: portal.now() })
    time += 60_000
    expect(await deliverDue(portal)).toBe(0)
    expect(old.bodies).toHaveLength(1)
  })

  test('a message of an older version, which names its address, goes where the application is now', async () => {
    sessions += 1
    const id = `out_old${sessions}`
    const notice = { clientId: APP, userId: 'usr_x', sessionId: `s${sessions}` }
    const payload = JSON.stringify({ ...notice, uri: addressOf(old) })
    const payloadEncrypted = seal(portal.outboxKey, id, payload)
    const stored = { dedupeKey: id, about: null, targetId: null, createdAt: portal.now() }
    const message = { id, kind: 'backchannel_logout', payloadEncrypted, ...stored } as const
    await setAddress(addressOf(current))
    await portal.write((tx) => enqueue(tx, [message]))
    await deliverDue(portal)
    expect([old.bodies.length, current.bodies.length]).toEqual([0, 1])
    expect((await row(id)).deliveredAt).toEqual(portal.now())
  })
})
