import { linesOf } from '../browser/api-form'

/** What the form of a new API says beside the API itself. */

export type NewItem = { key: string; descriptions: { en?: string } }

/** One permission per line: its name, and after a space what it allows. The prefix may be left out. */
export function itemsIn(form: FormData, prefix: string): NewItem[] {
  return linesOf(form, 'items').map((line) => {
    const [name = '', ...words] = line.split(/\s+/)
    const key = name.includes(':') ? name : `${prefix}:${name}`
    const sentence = words.join(' ')
    return { key, descriptions: sentence === '' ? {} : { en: sentence } }
  })
}
