import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** docs/attacks.md, O5: no regular expression of ours takes long over the longest text it can meet. */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LENGTH = 8 * 1024
const BOUND_MS = 1_000

/** A literal stands where a value can: after an operator, a bracket, a comma or `return`. */
const LITERAL =
  /(?:[(,=:[!&|?{};+]|return|^)\s*\/((?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([dgimsuvy]*)/gm

const PARTS = [
  'a',
  ' ',
  '.',
  ',',
  '/',
  '\\',
  '-',
  '_',
  '0',
  '%',
  '"',
  "'",
  '=',
  ';',
  '@',
  '\n',
  'é',
]
const PAIRS = ['a.', 'a ', 'a,', 'a=', 'a-', 'a/', 'a@', '0.', '%a', '{a', 'a:', '<a', '{}', ' ,']

const TEXTS = [...PARTS, ...PAIRS].flatMap((part) => {
  const many = part.repeat(LENGTH / part.length)
  return [many, `${many}!`, `!${many}`, `${many}\0`]
})

function literals() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', 'lib', 'app', '*.ts']
  const files = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n')
  const ours = files.filter((file) => /^(?:lib|app)\/.*\.tsx?$|^[^/]+\.ts$/.test(file))
  return ours
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => inFile(file, readFileSync(join(ROOT, file), 'utf8')))
}

function inFile(file, text) {
  return [...text.matchAll(LITERAL)].flatMap(([, source = '', flags = '']) => {
    try {
      return [[`${file} /${source}/${flags}`, new RegExp(source, flags)]]
    } catch {
      return [] // a division or a piece of JSX, not a pattern
    }
  })
}

const found = literals()

test('there are patterns to look at', () => {
  expect(found.length).toBeGreaterThan(50)
})

test.each(found)('O5: %s is quick over 8 KiB of anything', (_where, pattern) => {
  for (const text of TEXTS) {
    // Time of the processor, not of the clock: other programs do not count.
    const started = process.cpuUsage()
    text.replace(pattern, '')
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(BOUND_MS)
  }
})
