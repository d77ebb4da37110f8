import { expect, test } from 'vitest'
import { scriptsIn } from './page-weight'

test('the scripts of a page are those that a browser of today fetches, each once', () => {
  const html = `
    <script src="/a.js" async=""></script><script async="" src="/b.js"></script>
    <script src="/a.js"></script><script>inline()</script>
    <script src="/old.js" noModule=""></script>`
  expect([...scriptsIn(html)]).toEqual(['/a.js', '/b.js'])
})
