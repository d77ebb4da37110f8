import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, KINDS } from '../../../e2e/support/databases'
import { temporaryFolder } from '../../../e2e/support/folder'
import { json } from '../../base/http'
import type { Op } from '../../context/op'
import { createOp } from '../../op'
import { readConfig } from '../../settings/config'
import { onlyOnce } from './idempotency'

describe.each(KINDS)('a key that was in flight when its process died, on %s', (kind) => {
  let portal: Op
  let time = Date.now()

  beforeAll(async () => {
    const env = { DATABASE_URL: await freshDatabase[kind](), DATA_DIR: temporaryFolder() }
    portal = await createOp(readConfig({ ...env, LOG_LEVEL: 'silent' }), () => new Date(time))
  })

  afterAll(() => portal.close())

  const once = (key: string, work: () => Promise<ReturnType<typeof json>>) =>
    onlyOnce(portal, 'app', key, 'POST /x {}', work)
  const made = (id: string) => async () => json(201, { id })
  const inFlight = { code: 'in_flight' }

  /** Under way: nobody else can be the first to begin. */
  async function begun(key: string) {
    let end: (reply: ReturnType<typeof json>) => void = () => {}
    let answer: ReturnType<typeof once> | undefined
    await new Promise<void>((begins) => {
      answer = once(key, () => {
        begins()
        return new Promise((resolve) => {
          end = resolve
        })
      })
    })
    return { answer, end: (id: string) => end(json(201, { id })) }
  }

  test('is refused while it could be alive, and can be tried again after two minutes', async () => {
    await begun('dead')
    await expect(once('dead', made('early'))).rejects.toMatchObject(inFlight)
    time += 119_000
    await expect(once('dead', made('early'))).rejects.toMatchObject(inFlight)
    time += 2_000
    expect((await once('dead', made('second'))).body).toBe('{"id":"second"}')
    time += 23 * 60 * 60 * 1000
    const again = await once('dead', made('third'))
    expect([again.body, again.headers['Idempotency-Replayed']]).toEqual(['{"id":"second"}', 'true'])
    time += 2 * 60 * 60 * 1000
    expect((await once('dead', made('next day'))).body).toBe('{"id":"next day"}')
  })

  test('one that was only slow does not replace the answer that others have got', async () => {
    const slow = await begun('slow')
    await expect(once('slow', made('early'))).rejects.toMatchObject(inFlight)
    time += 121_000
    await once('slow', made('second'))
    slow.end('first')
    await slow.answer
    expect((await once('slow', made('third'))).body).toBe('{"id":"second"}')
  })
})
