import { describe, expect, test } from 'vitest'
import { ADMIN_PAGES } from './pages'
import { destinationsFor } from './palette'

const all = await destinationsFor(() => true, 'en')

/** As the palette looks for them. */
const hrefsFor = (typed: string) =>
  all
    .filter(({ found }) => typed.split(' ').every((word) => found.includes(word)))
    .map(({ href }) => href)

/** A page of something that the address names, or to which another page leads with a selection. */
const NOT_ALONE = /\[|\/(bulk|clean-up|test-login|first-token|assertions\/new)$/

describe('the command palette', () => {
  test('leads to every page that can be opened by itself', () => {
    const hrefs = all.map(({ href }) => href)
    const pages = Object.keys(ADMIN_PAGES).filter((path) => !NOT_ALONE.test(path))
    expect(pages.filter((path) => !hrefs.includes(path))).toEqual([])
  })

  test.each([
    ['emergency', '/admin/governance/requests'],
    ['emergency', '/account/access'],
    ['replay', '/admin/reports/replay'],
    ['recertification', '/admin/reports/reviews'],
    ['backup', '/docs/operations/backup'],
    ['logs', '/admin/audit'],
    ['dark', '/admin/settings/branding'],
    ['password policy', '/admin/settings'],
    ['terraform', '/admin/settings/configuration'],
    ['审批', '/admin/governance/rules'],
  ])('finds by %s %s', (typed, href) => {
    expect(hrefsFor(typed)).toContain(href)
  })
})
