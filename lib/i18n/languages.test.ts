import { readdirSync, readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import {
  directionOf,
  isLocale,
  type Locale,
  languages,
  localeOfPage,
  locales,
  messagesFor,
} from '.'
import { adminLocales, loaders } from './compiled/load'
import { pickText } from './pick-text'

const ROOT = new URL('../../', import.meta.url)

describe.each(locales)('%s', (locale) => {
  test('has words for people, and those for admins or none of them', async () => {
    const { people, admin } = await loaders[locale]()
    expect(Object.keys(people)).toContain('signIn')
    expect(admin !== undefined).toBe(adminLocales.includes(locale))
    expect((await messagesFor(locale)).admin.users.title).not.toBe('')
  })

  test('is a language that dates and numbers can be written in', () => {
    expect(Intl.DateTimeFormat.supportedLocalesOf([locale])).toEqual([locale])
  })

  test('is written in the direction of its script', () => {
    const isRightToLeft = /\p{Script=Arabic}|\p{Script=Hebrew}/u.test(languages[locale].name)
    expect(directionOf(locale)).toBe(isRightToLeft ? 'rtl' : 'ltr')
  })
})

test('words are loaded once', async () => {
  expect(await messagesFor('en')).toBe(await messagesFor('en'))
})

describe('a language without words for admins', () => {
  const complete: Locale[] = ['en']

  test.each(['/admin', '/admin/users?q=a', '/docs/api', '/docs?q=a', '/setup/check'])(
    'leaves %s in English',
    (path) => {
      expect(localeOfPage('zh-Hans', path, complete)).toBe('en')
      expect(localeOfPage('zh-Hans', path)).toBe('zh-Hans')
    },
  )

  test.each(['/', '/login?returnTo=/admin', '/account', '/administration', '/docs-of-ours'])(
    'has %s',
    (path) => {
      expect(localeOfPage('zh-Hans', path, complete)).toBe('zh-Hans')
    },
  )
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

/** The files of words that are in the first bundle of a module, and in those that it may ask for. */
async function wordsBehind(entry: string): Promise<{ first: string[]; later: string[] }> {
  const { metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: ROOT.pathname,
    bundle: true,
    splitting: true,
    format: 'esm',
    write: false,
    metafile: true,
    outdir: 'unused',
  })
  const outputs = Object.values(metafile.outputs)
  const first = outputs.filter(({ entryPoint }) => entryPoint === entry)
  const wordsOf = (some: typeof outputs) =>
    some
      .flatMap(({ inputs }) => Object.keys(inputs))
      .filter((file) => /i18n\/(words|compiled)\//.test(file))
      .sort()
  return {
    first: wordsOf(first),
    later: wordsOf(outputs.filter((output) => !first.includes(output))),
  }
}

test('the table of languages brings no words along', async () => {
  expect(await wordsBehind('lib/i18n/negotiate.ts')).toEqual({ first: [], later: [] })
})

test('the browser has English words for a page that failed, and asks for no others but these', async () => {
  const others = locales.filter((locale) => locale !== 'en')
  expect(await wordsBehind('lib/i18n/failure.ts')).toEqual({
    first: ['lib/i18n/compiled/failures.ts', 'lib/i18n/words/en/people/failure.json'],
    later: others.map((locale) => `lib/i18n/words/${locale}/people/failure.json`).sort(),
  })
})

test('a language is loaded when it is asked for', async () => {
  const { first, later } = await wordsBehind('lib/i18n/index.ts')
  expect(first).toEqual(['lib/i18n/compiled/load.ts'])
  expect(later).toEqual(locales.map((locale) => `lib/i18n/compiled/${locale}.ts`).sort())
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

const ADMIN_FOLDERS = /^app\/(admin|docs|\(signin\)\/setup)\/|^lib\/admin\//
const OF_ADMINS =
  /\b(admin|docs|guides|events|firstRun)\b(?= *[,}].*= *(?:await |use\()?currentMessages|\S* *\}\) *=>)|[Mm]essages(?:\(\))?\)?\.(?:admin|docs|guides|events|firstRun)\b/

test('pages that are not for admins use no words of theirs: a language need not have them', () => {
  const pages = sourcesOutside().filter(
    ([file]) => /^(app|lib\/browser)\//.test(file) && !ADMIN_FOLDERS.test(file),
  )
  expect(pages.filter(([, text]) => OF_ADMINS.test(text)).map(([file]) => file)).toEqual([])
})
