import { describe, expect, test } from 'vitest'
import { faultsOf } from './words/faults.mjs'
import { typeOf } from './words/types.mjs'

const ENGLISH = {
  front: {
    hello: 'Hello, {name}',
    about: { title: 'About', code: 'Write {"keys": []}' },
    users: { one: '{count} user of {app}', other: '{count} users of {app}' },
    steps: ['Sign in', 'Go to {page}'],
  },
}
const { front } = ENGLISH
const GERMAN = {
  hello: 'Hallo, {name}',
  about: { title: 'Über', code: 'Schreiben Sie {"keys": []}' },
  users: { one: 'Ein Benutzer von {app}', other: '{count} Benutzer von {app}' },
  steps: ['Anmelden', 'Zu {page} gehen'],
}

function faultsIn(locale, changed) {
  return faultsOf(locale, ENGLISH, { front: { ...GERMAN, ...changed } })
}

test('words that fit have no fault, and English fits itself', () => {
  expect(faultsIn('de', {})).toEqual([])
  expect(faultsOf('en', ENGLISH, ENGLISH)).toEqual([])
})

describe('words do not fit', () => {
  test.each([
    ['without a text', { about: { title: 'Über' } }, 'at about/code: this is missing'],
    [
      'with a text that English does not have',
      { about: { ...GERMAN.about, more: 'Mehr' } },
      'at about/more: English does not have this',
    ],
    ['without a placeholder', { hello: 'Hallo' }, 'at hello: the placeholder {name} is missing'],
    [
      'with another placeholder',
      { hello: 'Hallo, {name} {nmae}' },
      'at hello: English has no placeholder {nmae} here',
    ],
    [
      'with an empty text',
      { about: { ...GERMAN.about, title: ' ' } },
      'at about/title: this is empty',
    ],
    ['with a number for a text', { hello: 1 }, 'at hello: this is a text in English'],
    ['with a text for a group', { about: 'Über' }, 'at about: this is a group of words in English'],
    [
      'with a list for a group',
      { about: ['Über'] },
      'at about: this is a group of words in English',
    ],
    ['with a shorter list', { steps: ['Anmelden'] }, 'at steps: English has 2 entries'],
    [
      'with another placeholder in a list',
      { steps: ['Anmelden', 'Zur Seite gehen'] },
      'at steps/1: the placeholder {page} is missing',
    ],
    [
      'without a form for a number',
      { users: { other: '{count} Benutzer von {app}' } },
      'at users/one: this form is missing',
    ],
    [
      'with a form that the language does not have',
      { users: { ...GERMAN.users, few: '{count} Benutzer von {app}' } },
      'at users/few: this language has the forms one, other',
    ],
    [
      'with a form that leaves a placeholder out',
      { users: { one: 'Ein Benutzer', other: '{count} Benutzer von {app}' } },
      'at users/one: the placeholder {app} is missing',
    ],
    ['with a text for a number', { users: 'Benutzer' }, 'at users: this has the forms one, other'],
  ])('%s', (_what, changed, fault) => {
    expect(faultsIn('de', changed)).toEqual([`front.json ${fault}`])
  })

  test('without a file, or with one too many', () => {
    expect(faultsOf('de', ENGLISH, { back: GERMAN })).toEqual([
      'front.json: this file is missing',
      'back.json: English has no such file',
    ])
  })

  test('with something else than texts in English', () => {
    const english = { front: { hello: null } }
    expect(faultsOf('en', english, english)).toHaveLength(1)
  })
})

describe('each language has its own forms', () => {
  const english = { front: { users: { one: '{count} user', other: '{count} users' } } }
  const faults = (locale, users) => faultsOf(locale, english, { front: { users } })

  test('Arabic has six, of which those for one number may be a word', () => {
    const six = { zero: 'لا', one: 'واحد', two: 'اثنان', few: '{count}', many: '{count}' }
    expect(faults('ar', { ...six, other: '{count}' })).toEqual([])
    expect(faults('ar', { one: '{count}', other: '{count}' })).toHaveLength(4)
    expect(faults('ar', { ...six, few: 'عدة', other: '{count}' })).toEqual([
      'front.json at users/few: the placeholder {count} is missing',
    ])
  })

  test('Japanese has one', () => {
    expect(faults('ja', { other: '{count} 人' })).toEqual([])
    expect(faults('ja', { one: '{count} 人', other: '{count} 人' })).toHaveLength(1)
  })

  test('French says the same of none and of one, and may have a form for millions', () => {
    const both = { one: '{count} utilisateur', other: '{count} utilisateurs' }
    expect(faults('fr', both)).toEqual([])
    expect(faults('fr', { ...both, many: '{count} d’utilisateurs' })).toEqual([])
    expect(faults('fr', { ...both, one: 'un utilisateur' })).toHaveLength(1)
  })
})

test('the types say which placeholders a text has', () => {
  expect(typeOf(front.hello)).toBe("Text<'name'>")
  expect(typeOf(front.about)).toBe('{ readonly "title": Text; readonly "code": Text }')
  expect(typeOf(front.users)).toBe("Plural<Text<'app' | 'count'>>")
  expect(typeOf(front.steps)).toBe("readonly [Text, Text<'page'>]")
})
