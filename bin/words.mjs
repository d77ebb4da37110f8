// The words of lib/i18n/words as modules of the portal, and their types, which come from English.
// What another language lacks, or has too much, ends the build.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupError } from './setup-error.mjs'
import { faultsOf } from './words/faults.mjs'
import { typeOf } from './words/types.mjs'

const I18N = fileURLToPath(new URL('../lib/i18n', import.meta.url))
const WORDS = join(I18N, 'words')
const COMPILED = join(I18N, 'compiled')
/** Areas that are read in every language at once, so they are in memory from the start. */
const EVERYWHERE = ['refusedForm', 'portalScopes', 'publisher']
/** Every language has the words for people; those for admins, all or none. */
const PARTS = ['people', 'admin']

/** A second time it does nothing, unless words have changed. */
export function writeWords() {
  const locales = Object.keys(readJson(join(I18N, 'languages.json')))
  const words = Object.fromEntries(locales.map((locale) => [locale, wordsOf(locale)]))
  const faults = [...unlisted(locales), ...locales.flatMap((locale) => compared(words, locale))]
  if (faults.length > 0) throw new SetupError(['The words do not fit:', ...faults].join('\n  '))
  return writeModules(modulesOf(words)) ? 'written' : 'up to date'
}

function unlisted(locales) {
  return readdirSync(WORDS)
    .filter((folder) => !locales.includes(folder))
    .map((folder) => `lib/i18n/words/${folder}: lib/i18n/languages.json has no such language`)
}

/** { people: { area: words }, admin: ... } */
function wordsOf(locale) {
  const parts = PARTS.filter((part) => part === 'people' || existsSync(join(WORDS, locale, part)))
  return Object.fromEntries(parts.map((part) => [part, areasIn(locale, part)]))
}

function areasIn(locale, part) {
  const folder = join(WORDS, locale, part)
  if (!existsSync(folder)) return {}
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return Object.fromEntries(
    files.sort().map((name) => [name.slice(0, -'.json'.length), readJson(join(folder, name))]),
  )
}

function compared({ en, ...others }, locale) {
  const words = locale === 'en' ? en : others[locale]
  return Object.keys(words).flatMap((part) =>
    faultsOf(locale, en[part], words[part]).map(
      (fault) => `lib/i18n/words/${locale}/${part}/${fault}`,
    ),
  )
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new SetupError(`${file}: ${error.message}`)
  }
}

// ---------------------------------------------------------------- the modules

const camel = (area) => area.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())

function modulesOf(words) {
  const named = Object.fromEntries(
    Object.entries(words).map(([locale, parts]) => [locale, keyed(parts)]),
  )
  return {
    'words.ts': typeModule(named.en),
    'load.ts': loadModule(named),
    'failures.ts': failureModule(Object.keys(named)),
    'everywhere.ts': everywhereModule(named),
    'english-errors.ts': errorModule(named.en),
    ...Object.fromEntries(Object.entries(named).map(languageModule)),
  }
}

/** Areas by the names that they have in the code. */
function keyed(parts) {
  return Object.fromEntries(
    Object.entries(parts).map(([part, areas]) => [
      part,
      Object.fromEntries(Object.entries(areas).map(([area, words]) => [camel(area), words])),
    ]),
  )
}

function typeModule({ people, admin }) {
  return lines(
    "import type { Plural } from '../plural'",
    "import type { Text } from '../text'",
    '',
    `export type PeopleWords = ${typeOf(people)}`,
    `export type AdminWords = ${typeOf(admin)}`,
    '/** A language may have words for people only. */',
    'export type Words = { readonly people: PeopleWords; readonly admin?: AdminWords }',
  )
}

function loadModule(words) {
  const locales = Object.keys(words)
  return lines(
    "import type { Locale } from '../locales'",
    "import type { Words } from './words'",
    '',
    'export const loaders: Readonly<Record<Locale, () => Promise<Words>>> = {',
    ...locales.map((one) => `  '${one}': async () => (await import('./${one}')).words,`),
    '}',
    '',
    "export const english = async () => (await import('./en')).words",
    '',
    `export const adminLocales: readonly Locale[] = ${JSON.stringify(locales.filter((one) => words[one].admin))}`,
  )
}

/** For the browser, which asks for them when a page has failed. */
function failureModule(locales) {
  return lines(
    "import type { Locale } from '../locales'",
    "import type english from '../words/en/people/failure.json'",
    '',
    "export const failures: Readonly<Record<Exclude<Locale, 'en'>, () => Promise<typeof english>>> = {",
    ...locales
      .filter((one) => one !== 'en')
      .map(
        (one) =>
          `  '${one}': async () => (await import('../words/${one}/people/failure.json')).default,`,
      ),
    '}',
  )
}

function everywhereModule(words) {
  const table = Object.fromEntries(
    Object.entries(words).map(([locale, { people }]) => [
      locale,
      Object.fromEntries(EVERYWHERE.map((area) => [area, people[area]])),
    ]),
  )
  const areas = EVERYWHERE.map((area) => `'${area}'`).join(' | ')
  return lines(
    "import type { Locale } from '../locales'",
    "import type { PeopleWords } from './words'",
    '',
    `type Everywhere = Readonly<Record<Locale, Pick<PeopleWords, ${areas}>>>`,
    '',
    `export const everywhere = ${literal(table, 'Everywhere')}`,
  )
}

function errorModule({ people, admin }) {
  const { errorMessages } = people
  return lines(
    "import type { AdminWords, PeopleWords } from './words'",
    '',
    "type ErrorMessages = PeopleWords['errorMessages'] & AdminWords['errorMessages'] & AdminWords['conditionFaults']",
    '',
    `export const englishErrors = ${literal({ ...errorMessages, ...admin.errorMessages, ...admin.conditionFaults }, 'ErrorMessages')}`,
  )
}

function languageModule([locale, words]) {
  return [
    `${locale}.ts`,
    lines(
      "import type { Words } from './words'",
      '',
      `export const words = ${literal(words, words.admin ? 'Required<Words>' : 'Words')}`,
    ),
  ]
}

/** Not as text to be parsed, which would stay in memory beside what it becomes. */
function literal(value, type) {
  return `${JSON.stringify(value)} as unknown as ${type}`
}

function lines(...all) {
  return `${all.join('\n')}\n`
}

/** True if any was written; files that are not modules any more are removed. */
function writeModules(modules) {
  mkdirSync(COMPILED, { recursive: true })
  const old = readdirSync(COMPILED).filter((name) => !Object.hasOwn(modules, name))
  for (const name of old) rmSync(join(COMPILED, name))
  const changed = Object.entries(modules).filter(([name, text]) => {
    const file = join(COMPILED, name)
    return !existsSync(file) || readFileSync(file, 'utf8') !== text
  })
  for (const [name, text] of changed) writeFileSync(join(COMPILED, name), text)
  return changed.length > 0
}
