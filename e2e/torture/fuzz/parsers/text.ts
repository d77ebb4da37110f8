import fc from 'fast-check'
import { decodeBasic } from '../../../../lib/oidc/client-auth'
import { parseForm, parseScope } from '../../../../lib/oidc/params'
import { nastyText } from '../nasty'
import { must, orRefused } from './must'

/** Forms, scopes and Basic credentials. */

const formText = fc.oneof(
  nastyText,
  fc
    .array(fc.tuple(fc.constantFrom('a', 'b', 'resource', 'scope', '__proto__'), nastyText), {
      maxLength: 5,
    })
    .map((pairs) => new URLSearchParams(pairs.map(([n, v]) => [n, v.toWellFormed()])).toString()),
  fc.string({ unit: fc.constantFrom(...'ab=&%+0f;é') }),
)

/** As every other reader of forms does it, or not at all. */
export function formsAreRead() {
  return fc.asyncProperty(formText, async (text) => {
    const form = await orRefused(() => parseForm(text))
    if (!form) return
    const other = new URLSearchParams(text)
    for (const name of new Set(other.keys())) {
      const given = other.getAll(name).filter((value) => value !== '')
      must(form.get(name) === given[0], `${name} is another to us`)
      must(given.length <= 1 || name === 'resource', `${name} twice was taken`)
    }
  })
}

export function scopesAreRead() {
  return fc.asyncProperty(nastyText, async (text) => {
    const items = await orRefused(() => parseScope(text))
    if (!items) return
    must(items.length > 0 && new Set(items).size === items.length, 'empty or twice')
    must(
      items.every((item) => /^[\x21-\x7e]{1,255}$/.test(item) && text.split(' ').includes(item)),
      'an item that nobody asked for',
    )
  })
}

export function basicIsRead() {
  const header = fc.oneof(
    nastyText,
    nastyText.map((text) => `Basic ${text}`),
    nastyText.map((text) => `Basic ${Buffer.from(text).toString('base64')}`),
    fc.base64String().map((text) => `basic  ${text}`),
  )
  return fc.asyncProperty(header, async (text) => {
    const halves = decodeBasic(text)
    if (!halves) return
    must(
      halves.every((half) => half !== '' && half.isWellFormed() && !half.includes('\0')),
      'half a credential',
    )
  })
}
