// The type of words in TypeScript: what is there, and which placeholders each text has.
import { isPlural, placeholdersIn, placeholdersOfPlural } from './faults.mjs'

export function typeOf(words) {
  if (typeof words === 'string') return textType(placeholdersIn(words))
  if (isPlural(words)) return `Plural<${textType(placeholdersOfPlural(words))}>`
  if (Array.isArray(words)) return `readonly [${words.map(typeOf).join(', ')}]`
  const members = Object.entries(words).map(
    ([key, value]) => `readonly ${JSON.stringify(key)}: ${typeOf(value)}`,
  )
  return `{ ${members.join('; ')} }`
}

function textType(names) {
  return names.length === 0 ? 'Text' : `Text<${names.map((name) => `'${name}'`).join(' | ')}>`
}
