// What is wrong with the words of a language, compared with the English ones.

/** Where Unicode has a form for millions only, as in Spanish, a language may leave it out. */
const COUNTS = [...Array(201).keys(), 1_000, 10_000, 100_000]

/** `people` of a language: { area: words }; each fault is `area.json path: what is wrong`. */
export function faultsOf(locale, english, words) {
  const rules = formsOf(locale)
  return [
    ...missing(english, words).map((area) => `${area}.json: this file is missing`),
    ...missing(words, english).map((area) => `${area}.json: English has no such file`),
    ...shared(english, words).flatMap((area) =>
      compare(rules, english[area], words[area]).map((fault) => `${area}.json ${fault}`),
    ),
  ]
}

/** A sentence with a number: `{ "one": "{count} user", "other": "{count} users" }`. */
export function isPlural(words) {
  if (!isGroup(words) || !('other' in words)) return false
  return Object.entries(words).every(
    ([key, form]) => FORMS.includes(key) && typeof form === 'string',
  )
}

const FORMS = ['zero', 'one', 'two', 'few', 'many', 'other']

export function placeholdersIn(text) {
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort()
}

/** The names in all forms of a plural. */
export function placeholdersOfPlural(forms) {
  return placeholdersIn(Object.values(forms).join(' '))
}

function compare(rules, english, words, path = []) {
  if (typeof english === 'string') return sentence(english, words, path)
  if (isPlural(english)) return plural(rules, english, words, path)
  if (Array.isArray(english)) return list(rules, english, words, path)
  if (!isGroup(english)) return [at(path, 'words are texts, lists and groups of them')]
  if (!isGroup(words)) return [at(path, 'this is a group of words in English')]
  return [
    ...missing(english, words).map((key) => at([...path, key], 'this is missing')),
    ...missing(words, english).map((key) => at([...path, key], 'English does not have this')),
    ...shared(english, words).flatMap((key) =>
      compare(rules, english[key], words[key], [...path, key]),
    ),
  ]
}

function sentence(english, text, path) {
  if (typeof text !== 'string') return [at(path, 'this is a text in English')]
  return textFaults(placeholdersIn(english), [], text, path)
}

function list(rules, english, words, path) {
  if (!Array.isArray(words)) return [at(path, 'this is a list in English')]
  if (words.length !== english.length) return [at(path, `English has ${english.length} entries`)]
  return english.flatMap((entry, index) => compare(rules, entry, words[index], [...path, index]))
}

function plural({ allowed, needed, exact }, english, forms, path) {
  if (!isGroup(forms)) return [at(path, `this has the forms ${needed.join(', ')}`)]
  const given = Object.keys(forms)
  const names = placeholdersOfPlural(english)
  return [
    ...needed
      .filter((form) => !given.includes(form))
      .map((form) => at([...path, form], 'this form is missing')),
    ...given
      .filter((form) => !allowed.includes(form))
      .map((form) => at([...path, form], `this language has the forms ${allowed.join(', ')}`)),
    ...given.flatMap((form) =>
      typeof forms[form] === 'string'
        ? textFaults(names, exact.includes(form) ? ['count'] : [], forms[form], [...path, form])
        : [at([...path, form], 'a form is a text')],
    ),
  ]
}

function textFaults(names, optional, text, path) {
  const given = placeholdersIn(text)
  const lost = names.filter((name) => !given.includes(name) && !optional.includes(name))
  const strange = given.filter((name) => !names.includes(name))
  return [
    ...(text.trim() === '' ? [at(path, 'this is empty')] : []),
    ...lost.map((name) => at(path, `the placeholder {${name}} is missing`)),
    ...strange.map((name) => at(path, `English has no placeholder {${name}} here`)),
  ]
}

/** The forms of a language; `exact` are those that stand for one number, which may be a word. */
function formsOf(locale) {
  const rules = new Intl.PluralRules(locale)
  const chosen = COUNTS.map((count) => rules.select(count))
  const allowed = FORMS.filter((form) => rules.resolvedOptions().pluralCategories.includes(form))
  const times = (form) => chosen.filter((one) => one === form).length
  return {
    allowed,
    needed: allowed.filter((form) => times(form) > 0),
    exact: allowed.filter((form) => times(form) === 1),
  }
}

function at(path, what) {
  return `${path.length === 0 ? '' : `at ${path.join('/')}`}: ${what}`
}

function isGroup(words) {
  return typeof words === 'object' && words !== null && !Array.isArray(words)
}

function missing(wanted, given) {
  return Object.keys(wanted).filter((key) => !Object.hasOwn(given, key))
}

function shared(english, words) {
  return Object.keys(english).filter((key) => Object.hasOwn(words, key))
}
