/**
 * The templates of the samples: `{{name}}` is a value as it is written between double quotes,
 * `{{name|shell}}` and `{{name|php}}` between single ones; a list goes on with the next item in
 * quotes. At the beginning of a line, `{{?name}}` keeps it if there is such a value, `{{?!name}}` if
 * there is none, and `{{*name}}` repeats it with each `{{item}}`. `{{>file}}` is another template.
 */

type Value = string | boolean | null | readonly string[]
export type Values = Readonly<Record<string, Value>>

const INCLUDED = /^\{\{>(.+)\}\}\n/gm
const MARKED_LINE = /^\{\{(\?!?|\*)(\w+)\}\}(.*)$/
const VALUE = /\{\{(\w+)(?:\|(\w+))?\}\}/g

/** JavaScript, Python, Go, Rust, C#, YAML and TOML alike: the values are printable ASCII. */
const DOUBLE_QUOTED = { escaped: (text: string) => JSON.stringify(text).slice(1, -1), next: '", "' }
const SINGLE_QUOTED: Readonly<Record<string, typeof DOUBLE_QUOTED>> = {
  shell: { escaped: (text) => text.replaceAll("'", `'\\''`), next: "' '" },
  /** In double quotes, `$` would begin a variable. */
  php: { escaped: (text) => text.replaceAll(/['\\]/g, String.raw`\$&`), next: "', '" },
}

export function render(template: string, values: Values, included: (file: string) => string) {
  const whole = template.replaceAll(INCLUDED, (_, file: string) => included(file))
  const lines = whole.split('\n').flatMap((line) => linesOf(line, values))
  return lines.join('\n')
}

function linesOf(line: string, values: Values): string[] {
  const [, mark, name = '', rest = ''] = MARKED_LINE.exec(line) ?? []
  if (!mark) return [filled(line, values)]
  const value = known(name, values)
  if (mark !== '*') return Boolean(value) === (mark === '?') ? [filled(rest, values)] : []
  return listed(value).map((item) => filled(rest, { ...values, item }))
}

function filled(text: string, values: Values): string {
  return text.replaceAll(VALUE, (_, name: string, within = '') => {
    const { escaped, next } = SINGLE_QUOTED[within] ?? DOUBLE_QUOTED
    return listed(known(name, values)).map(escaped).join(next)
  })
}

function listed(value: Value): readonly string[] {
  return Array.isArray(value) ? value : [String(value)]
}

function known(name: string, values: Values): Value {
  const value = values[name]
  if (value === undefined) throw new Error(`no sample has a value ${name}`)
  return value
}
