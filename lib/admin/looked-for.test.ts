import { expect, test } from 'vitest'
import { lookedFor } from './looked-for'
import { ADMIN_PAGES } from './pages'

test.each([
  ['/admin/applications/nope', 'no_application', 'nope'],
  ['/admin/applications/app_1/credentials/ak_2', 'no_access_key', 'ak_2'],
  ['/admin/users/a%20b/access?done=x', 'no_user', 'a b'],
  ['/admin/roles/nope/members', 'no_role', 'nope'],
  ['/admin/users/%E0%A4%A', 'no_user', '%E0%A4%A'],
])('%s: %s', (path, code, id) => {
  expect(lookedFor(path)).toEqual({ code, values: { id } })
})

test.each(['/admin/applications', '/admin/nothing/here', '/', '/admin/users/', '/__proto__/x'])(
  '%s is no thing',
  (path) => expect(lookedFor(path)).toBeNull(),
)

test('each name in the address of a page has a sentence', () => {
  const pages = Object.keys(ADMIN_PAGES).filter((page) => page.includes('['))
  expect(pages.length).toBeGreaterThan(20)
  const paths = pages.map((page) => page.replaceAll(/\[\w+\]/g, 'nope'))
  expect(paths.filter((path) => lookedFor(path) === null)).toEqual([])
})
