import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { usually } from '../../e2e/support/databases'
import { type Operations, openOperations } from '../../e2e/support/operations'
import { PageQueue } from './page-queue'
import { createHost } from './server'

const LIMITS = { atOnce: 2, mostWaiting: 3, placeMs: 60_000 }

describe('a queue of pages', () => {
  test('lets a few in at once, and then whoever has waited longest', async () => {
    const queue = new PageQueue(LIMITS)
    const order: number[] = []
    const enter = (at: number) =>
      queue.enter().then((leave) => {
        order.push(at)
        return leave
      })
    const entered = Array.from({ length: LIMITS.atOnce + 2 }, (_, at) => enter(at))
    const [first] = await Promise.all(entered.slice(0, LIMITS.atOnce))
    expect(order).toEqual([0, 1])
    first?.()
    first?.() // a place is left once
    await entered[LIMITS.atOnce]
    expect(order).toEqual([0, 1, 2])
  })

  test('refuses what does not fit, and takes pages again after that', async () => {
    const queue = new PageQueue(LIMITS)
    const places = await Promise.all(Array.from({ length: LIMITS.atOnce }, () => queue.enter()))
    const waiting = Array.from({ length: LIMITS.mostWaiting }, () => queue.enter())
    expect(await queue.enter()).toBeNull()
    for (const leave of places) leave?.()
    for (const one of waiting) (await one)?.()
    expect(await queue.enter()).not.toBeNull()
  })

  test('O10: a page that waits for a slow reader loses its place to others', async () => {
    vi.useFakeTimers()
    try {
      const queue = new PageQueue(LIMITS)
      for (let at = 0; at < LIMITS.atOnce; at += 1) await queue.enter()
      const next = queue.enter()
      await vi.advanceTimersByTimeAsync(LIMITS.placeMs)
      expect(await next).not.toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe.each(usually('sqlite'))('O4: more pages than fit into the queue, on %s', (kind) => {
  let portal: Operations
  let base = ''
  let running: ReturnType<typeof createHost>
  const held: (() => void)[] = []

  beforeAll(async () => {
    portal = await openOperations(kind)
    // Each page takes as long as the test wants.
    running = createHost(
      portal.op,
      async (_request, response) => {
        await new Promise<void>((resolve) => held.push(resolve))
        response.end('a page')
      },
      new PageQueue(LIMITS),
    )
    await new Promise<void>((resolve) => running.listen(0, '127.0.0.1', resolve))
    base = `http://localhost:${(running.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    running.close()
    running.closeAllConnections()
    await portal.close()
  })

  test('503 with Retry-After and a page that says so; the direct line and those who wait are answered', async () => {
    const page = () => fetch(`${base}/login`, { headers: { accept: 'text/html' } })
    const asked = Array.from({ length: LIMITS.atOnce + LIMITS.mostWaiting + 1 }, page)
    // The one that does not fit is answered first.
    const refused = await Promise.race(asked)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.text()).toContain('<h1>Too many people want a page at this moment</h1>')
    expect((await fetch(`${base}/healthz`)).status).toBe(200)
    const file = fetch(`${base}/favicon.ico`)

    const ending = setInterval(() => {
      for (const end of held.splice(0)) end()
    }, 5)
    const statuses = (await Promise.all([file, ...asked])).map(({ status }) => status)
    clearInterval(ending)
    expect(statuses.sort()).toEqual([...Array(statuses.length - 1).fill(200), 503])
  })
})

const PAGE_BYTES = 32 * 1024 * 1024 // more than sockets buffer

test.each(usually('sqlite'))(
  'O10: whoever reads nothing of a page keeps nobody else from theirs, on %s',
  async (kind) => {
    const portal = await openOperations(kind)
    const limits = { atOnce: 1, mostWaiting: 3, placeMs: 200 }
    const begun: string[] = []
    const running = createHost(
      portal.op,
      async ({ url = '' }, response) => {
        begun.push(url)
        response.end(url === '/large' ? Buffer.alloc(PAGE_BYTES) : 'a page')
      },
      new PageQueue(limits),
    )
    await new Promise<void>((resolve) => running.listen(0, '127.0.0.1', resolve))
    const { port } = running.address() as AddressInfo
    const host = `localhost:${port}`
    const idle = connect(port, '127.0.0.1').pause()
    idle.write(`GET /large HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    await expect.poll(() => begun).toEqual(['/large'])
    const page = await fetch(`http://${host}/small`)
    expect([page.status, await page.text()]).toEqual([200, 'a page'])
    expect(idle.bytesRead).toBeLessThan(PAGE_BYTES)
    idle.destroy()
    running.close()
    running.closeAllConnections()
    await portal.close()
  },
)

test.each(usually('sqlite'))(
  'O10: an answer of which nothing is read for two minutes ends with its connection, on %s',
  async (kind) => {
    const portal = await openOperations(kind)
    const answers: ServerResponse[] = []
    const running = createHost(portal.op, async (_request, response) => {
      answers.push(response)
      response.end(Buffer.alloc(PAGE_BYTES))
    })
    expect(running.timeout).toBe(120_000)
    running.timeout = 200
    await new Promise<void>((resolve) => running.listen(0, '127.0.0.1', resolve))
    const { port } = running.address() as AddressInfo
    const idle = connect(port, '127.0.0.1').pause()
    idle.write(`GET /login HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`)
    await expect.poll(() => answers.map(({ destroyed }) => destroyed)).toEqual([true])
    idle.destroy()
    running.close()
    await portal.close()
  },
)
