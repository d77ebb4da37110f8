// The letters that look alike, as a module: node bin/confusables.mjs confusables.txt UnicodeData.txt
// Both files are Unicode's: https://www.unicode.org/Public/security/latest/confusables.txt and
// https://www.unicode.org/Public/UCD/latest/ucd/UnicodeData.txt.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const MODULE = fileURLToPath(new URL('../lib/base/confusables.ts', import.meta.url))
const WIDTH = 95

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) main()

function main() {
  const [, , confusables, names] = process.argv
  if (!confusables || !names) throw new Error('name confusables.txt and UnicodeData.txt')
  writeFileSync(MODULE, moduleOf(readFileSync(confusables, 'utf8'), readFileSync(names, 'utf8')))
}

export function moduleOf(confusables, names) {
  const version = /^# Version: (\S+)/m.exec(confusables)?.[1]
  const alike = new Map([...smallCapitals(names), ...prototypes(confusables)])
  const groups = [...grouped(alike)].map(([looks, chars]) => [hex(looks), ...chars.map(hex)])
  return `// Written by bin/confusables.mjs from Unicode ${version} (Unicode License v3). Do not edit.

/**
 * Characters that look alike (UTS 39 §4), in hexadecimal. Each group is what they look like, with "+"
 * between its characters, and the characters. Those that NFKD changes are left out.
 */
export const CONFUSABLES = [
${wrapped(groups).join('\n')}
]
`
}

/** A character and what it looks like; text is compared after NFKD, so nothing else is met. */
function prototypes(confusables) {
  return confusables.split('\n').flatMap((line) => {
    const [from, to] = line.split(';').map((part) => textOf(part.trim()))
    if (!to || from.normalize('NFKD') !== from) return []
    return [[from, to.normalize('NFKD')]]
  })
}

function textOf(codes) {
  if (!/^[0-9A-F]{4,6}( [0-9A-F]{4,6})*$/.test(codes)) return ''
  return String.fromCodePoint(...codes.split(' ').map((code) => Number.parseInt(code, 16)))
}

/** UTS 39 leaves out most letters that differ in their height only. */
function smallCapitals(names) {
  const found = names.matchAll(/^([0-9A-F]+);LATIN LETTER SMALL CAPITAL ([A-Z]);/gm)
  return [...found].map(([, code, letter]) => [textOf(code), letter.toLowerCase()])
}

function grouped(alike) {
  const groups = new Map()
  for (const [char, looks] of alike) groups.set(looks, [...(groups.get(looks) ?? []), char])
  return groups
}

function hex(text) {
  return [...text].map((char) => char.codePointAt(0).toString(16)).join('+')
}

/** As many groups on a line as fit; a long one continues with what it looks like repeated. */
function wrapped(groups) {
  const lines = ['']
  for (const [looks, ...chars] of groups) {
    let isNew = true
    for (const char of chars) {
      const more = isNew ? `; ${looks} ${char}` : ` ${char}`
      if (lines.at(-1).length + more.length > WIDTH) lines.push(`${looks} ${char}`)
      else lines.push(lines.pop() + more)
      isNew = false
    }
  }
  return lines.map((line) => `  '${line.replace(/^; /, '')}',`)
}
