import { beforeAll, describe, expect, test } from 'vitest'
import { KINDS } from '../../../e2e/support/databases'
import { createTestApplication, db, later, NOW, startStore } from '../../../e2e/support/store'
import { deviceStore } from './devices'

describe.each(KINDS)('devices on %s', (kind) => {
  startStore(kind)
  beforeAll(async () => {
    for (const id of ['app_one', 'app_two']) await createTestApplication(db, id)
  })

  const device = (name: string, applicationId: string, createdAt = NOW) => ({
    id: `dva_${name}`,
    deviceCodeHash: `device ${name}`,
    userCodeHash: `user ${name}`,
    applicationId,
    accessKeyId: null,
    scopes: ['openid'],
    resources: [],
    acrValues: [],
    ip: '192.0.2.7',
    intervalSeconds: 5,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 1_000),
  })

  test('V7: no more wait for one application than its limit; another application has its own', async () => {
    const devices = deviceStore(db)
    const save = (name: string, app = 'app_one', at = NOW) => devices.save(device(name, app, at), 2)
    expect([await save('a'), await save('b'), await save('c')]).toEqual(['saved', 'saved', 'full'])
    expect(await save('d', 'app_two')).toBe('saved')
    expect(await devices.find('dva_c')).toBeNull()
    await devices.makeRoom('app_one', NOW)
    expect([await devices.find('dva_a'), await save('c')]).toEqual([null, 'saved'])
    expect(await devices.find('dva_d')).not.toBeNull()
    // Those that have ended do not count.
    expect(await save('e', 'app_one', later(1_000))).toBe('saved')
  })

  test('a user code that another device shows is not given again', async () => {
    const same = { ...device('f', 'app_two'), userCodeHash: 'user d' }
    expect(await deviceStore(db).save(same, 10)).toBe('taken')
    expect(await deviceStore(db).findByUserCode('user d')).toMatchObject({
      ...device('d', 'app_two'),
      approval: null,
      deniedAt: null,
      usedAt: null,
    })
  })

  test('of polls at the same moment one is in time', async () => {
    const devices = deviceStore(db)
    const due = later(-4_500)
    const polls = await Promise.all([1, 2, 3].map(() => devices.poll('dva_d', NOW, due)))
    expect(polls.filter(Boolean)).toHaveLength(1)
    await devices.slowDown('dva_d', NOW, 5)
    expect(await devices.find('dva_d')).toMatchObject({ intervalSeconds: 10 })
  })
})
