import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { EVENTS } from '../base/events'
import { type Locale, messagesFor } from '../i18n'
import { adminLocales } from '../i18n/compiled/load'
import { fill } from '../i18n/fill'
import {
  type FormerReason,
  REFUSAL_EVENTS,
  REFUSAL_REASONS,
  type RefusalReason,
} from './refusal-reasons'

/** Each reason has words and a row of docs/errors.md, is thrown somewhere, and is tested. */

const ROOT = new URL('../../', import.meta.url)
const FORMER: readonly FormerReason[] = ['request_refused']
// `Object.keys` types the keys of a table as `string`.
const reasons = Object.keys(REFUSAL_REASONS) as RefusalReason[]

function textsIn(folder: string, isWanted: (file: string) => boolean): string {
  return readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && isWanted(file))
    .map((file) => readFileSync(new URL(`${folder}/${file}`, ROOT), 'utf8'))
    .join('\n')
}

const isTest = (file: string) => /\.test\.tsx?$/.test(file)
const isSource = (file: string) => !isTest(file) && !file.endsWith('refusal-reasons.ts')
const sources = ['lib/oidc', 'lib/api/registration'].map((at) => textsIn(at, isSource)).join('\n')
const tests = ['lib', 'e2e'].map((at) => textsIn(at, isTest)).join('\n')

test('something is refused for each reason', () => {
  expect(reasons.filter((reason) => !sources.includes(`'${reason}'`))).toEqual([])
})

test('a test causes each reason', () => {
  const isCaused = (reason: string) => new RegExp(`['" ]${reason}['"]`).test(tests)
  expect(reasons.filter((reason) => !isCaused(reason))).toEqual([])
})

const wordsIn = async (locale: Locale) => (await messagesFor(locale)).admin.applications

describe.each(adminLocales)('the words in %s', (locale) => {
  test('say of each reason what it means and what to do, and of no others', async () => {
    const { refusalReasons } = await wordsIn(locale)
    expect(Object.keys(refusalReasons)).toEqual([...reasons, ...FORMER])
    for (const words of Object.values(refusalReasons)) {
      expect(Object.keys(words)).toEqual(['title', 'text', 'next'])
    }
  })

  test('name each event', async () => {
    const { refusals } = await wordsIn(locale)
    expect(Object.keys(refusals.events).sort()).toEqual([...REFUSAL_EVENTS].sort())
  })
})

test('what anybody can cause is sent to no webhook', () => {
  expect(REFUSAL_EVENTS.filter((name) => EVENTS[name].webhooks !== false)).toEqual([])
})

test('docs/errors.md has a row for each; `npx vitest -u` writes them', async () => {
  const { refusalReasons: words } = await wordsIn('en')
  const head = '| reason | comes with | what it means | what to do |\n| --- | --- | --- | --- |\n'
  const rows = reasons.map((reason) => {
    const codes = REFUSAL_REASONS[reason].map((code) => `\`${code}\``).join(', ') || 'no error'
    const { text, next } = words[reason]
    return `| \`${reason}\` | ${codes} | ${fill(text, {})} | ${fill(next, {})} |`
  })
  const page = readFileSync(new URL('docs/errors.md', ROOT), 'utf8')
  const [before = '', after = ''] = page.split(head)
  const [, rest = ''] = /^(?:\|.*\|\n)*([\s\S]*)$/.exec(after) ?? []
  const written = `${before}${head}${rows.join('\n')}\n${rest}`
  await expect(written).toMatchFileSnapshot('../../docs/errors.md')
})
