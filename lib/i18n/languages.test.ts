import { readdirSync, readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { isLocale, type Locale, languages, locales, messagesFor } from '.'
import { pickText } from './pick-text'

const ROOT = new URL('../../', import.meta.url)

/** A sentence for each path: `front/hello`. */
function sentencesOf(words: object, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value]] : sentencesOf(value, `${path}${key}/`),
  )
}

function placeholdersOf(sentence: string): string[] {
  return [...new Set(sentence.match(/\{\w+\}/g))].sort()
}

describe.each(locales)('%s', (locale) => {
  test('has the sentences of English with the same placeholders', () => {
    const english = sentencesOf(messagesFor('en')).map(([path, text]) => [
      path,
      placeholdersOf(text),
    ])
    const own = sentencesOf(messagesFor(locale)).map(([path, text]) => [path, placeholdersOf(text)])
    expect(Object.fromEntries(own)).toEqual(Object.fromEntries(english))
  })

  test('has no empty sentence', () => {
    const words = { ...messagesFor(locale), ...languages[locale] }
    expect(sentencesOf(words).filter(([, text]) => text.trim() === '')).toEqual([])
  })

  test('is a language that dates and numbers can be written in', () => {
    expect(Intl.DateTimeFormat.supportedLocalesOf([locale])).toEqual([locale])
  })

  test('is a folder of its own name', () => {
    expect(readdirSync(new URL(`lib/i18n/${locale}`, ROOT))).toContain('language.ts')
  })
})

test('only the languages of the table are locales', () => {
  for (const value of ['', 'tlh', 'zh', 'EN', '__proto__', 'toString', null, undefined])
    expect(isLocale(value)).toBe(false)
})

describe('pickText', () => {
  const english: Locale = 'en'
  const chinese: Locale = 'zh-Hans'
  const both = { en: 'See', 'zh-Hans': '查看' }

  test('takes the language of the reader', () => {
    expect(pickText(both, chinese, english)).toBe('查看')
    expect(pickText(both, english, chinese)).toBe('See')
  })

  test('else the default language of the portal', () => {
    expect(pickText({ 'zh-Hans': '查看' }, english, chinese)).toBe('查看')
  })

  test('else English', () => {
    expect(pickText({ en: 'See', fr: 'Voir' }, chinese, chinese)).toBe('See')
  })

  test('never any other language', () => {
    expect(pickText({ 'zh-Hans': '查看' }, english, english)).toBeUndefined()
    expect(pickText({ fr: 'Voir' }, english, chinese)).toBeUndefined()
    expect(pickText({}, english, chinese)).toBeUndefined()
  })
})

test('the table of languages does not load the dictionaries, which the browser does not need', async () => {
  const { metafile } = await build({
    entryPoints: ['lib/i18n/negotiate.ts'],
    absWorkingDir: ROOT.pathname,
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    metafile: true,
    outdir: 'unused',
  })
  const entry = Object.values(metafile.outputs).find(({ entryPoint }) =>
    entryPoint?.endsWith('negotiate.ts'),
  )
  const loaded = Object.keys(entry?.inputs ?? {}).filter((file) => /i18n\/[\w-]+\//.test(file))
  const files = locales.flatMap((locale) =>
    ['failure', 'language', 'refused-form'].map((file) => `lib/i18n/${locale}/${file}.ts`),
  )
  expect(loaded.sort()).toEqual(files.sort())
})

function sourcesOutside(): [file: string, text: string][] {
  return ['app', 'lib']
    .flatMap((folder) =>
      readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
        .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.includes('generated'))
        .map((file) => `${folder}/${file}`),
    )
    .filter((file) => !file.startsWith('lib/i18n/'))
    .map((file) => [file, readFileSync(new URL(file, ROOT), 'utf8')])
}

test('nothing outside the folders decides by a language or writes in it', () => {
  const sources = sourcesOutside()
  expect(sources.length).toBeGreaterThan(400)
  const decides =
    /\b\w*(?:locale|lang|language) *[=!]==? *['"]|['"] *[=!]==? *\w*(?:locale|lang)\b/i
  expect(sources.filter(([, text]) => decides.test(text)).map(([file]) => file)).toEqual([])
  // Sample data and the example in a comment.
  const writes = sources.filter(([, text]) => /\p{Script=Han}/u.test(text)).map(([file]) => file)
  expect(writes.sort()).toEqual([
    'lib/api/configuration/sample-shop.ts',
    'lib/store/database/search-keys.ts',
    'lib/store/operations/demo.ts',
  ])
})
