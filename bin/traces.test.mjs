import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isOfOthers, tracedByNext, trimTraces } from './traces.mjs'

const root = mkdtempSync(join(tmpdir(), 'gatehouse-traces-'))
afterAll(() => rmSync(root, { recursive: true }))

const NATIVE = ['gnu', 'musl'].map((libc) => `node_modules/@libsql/linux-x64-${libc}/index.node`)

test('a page keeps what it loads, and nothing else of the repository', () => {
  const list = join(root, '.next/server/app/login/page.js.nft.json')
  const up = '../../../../'
  const [needed] = NATIVE.filter((file) => !isOfOthers(file))
  const files = [
    ...['../../chunks/a.js', `${up}node_modules/pg/lib/index.js`],
    ...NATIVE.map((file) => up + file),
    ...[`${up}lib/op.ts`, `${up}.env`, `${up}package.json`, `${up}dist/server.js`],
  ]
  mkdirSync(dirname(list), { recursive: true })
  writeFileSync(list, JSON.stringify({ version: 1, files }))
  trimTraces(root)
  expect(tracedByNext(root)).toEqual([
    '.next/server/chunks/a.js',
    'node_modules/pg/lib/index.js',
    needed,
  ])
  expect(JSON.parse(readFileSync(list, 'utf8')).version).toBe(1)
})
