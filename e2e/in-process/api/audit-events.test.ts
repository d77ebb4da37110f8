import { describe, expect, test } from 'vitest'
import { call, changed, machine, read, startApi } from '../../support/api-objects'
import { usually } from '../../support/databases'

describe.each(usually('sqlite'))('the audit log on %s', (kind) => {
  startApi(kind)

  describe('the audit log', () => {
    test('says who changed what, before and after, and is found by every name', async () => {
      const app = await machine()
      await changed('PATCH', `/applications/${app.id}`, { name: 'Renamed' })
      const { json } = await read(`/audit-events?applicationId=${app.id}&count=true`)
      expect(json.data.map(({ event }: { event: string }) => event)).toEqual([
        'application.changed',
        'application.created',
      ])
      const [entry] = json.data
      expect(entry).toMatchObject({
        actorKind: 'client',
        actorId: 'app_demo_machine',
        targetKind: 'application',
        targetId: app.id,
        result: 'success',
        seq: expect.stringMatching(/^\d+$/),
        detail: { before: { name: app.name }, after: { name: 'Renamed' } },
      })
      expect((await read(`/audit-events/${entry.id}`)).json).toEqual(entry)
      for (const query of [
        `requestId=${entry.requestId}`,
        `targetId=${app.id}&event=application.changed&result=success`,
        `actorId=app_demo_machine&from=${entry.at}&limit=1&targetId=${app.id}`,
      ]) {
        expect((await read(`/audit-events?${query}`)).json.data).toEqual([entry])
      }
      const past = `/audit-events?targetId=${app.id}&to=2020-01-01T00:00:00Z`
      expect((await read(past)).json.data).toEqual([])
      expect((await call('GET', '/audit-events/aud_nothing')).status).toBe(404)
      expect((await call('GET', '/audit-events?from=yesterday')).status).toBe(400)
    })

    test('is read page by page, the newest first', async () => {
      const first = (await read('/audit-events?limit=3')).json
      const second = (await read(`/audit-events?limit=3&cursor=${first.page.next}`)).json
      const entries: { at: string; seq: string }[] = [...first.data, ...second.data]
      const times = entries.map(({ at }) => at)
      expect(times).toEqual([...times].sort().reverse())
      expect(new Set(entries.map(({ seq }) => seq)).size).toBe(6)
    })

    test('N21: nobody changes it', async () => {
      const { id } = (await read('/audit-events?limit=1')).json.data[0]
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        expect((await call(method, `/audit-events/${id}`)).status).toBe(405)
      }
      expect((await call('POST', '/audit-events', {})).status).toBe(405)
    })
  })
})
