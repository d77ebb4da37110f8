/** One request as a user would type it: for a shell, in JavaScript and in Python. */

export type Sample = {
  method: string
  url: string
  headers: readonly Header[]
  /** Undefined: no body is sent. */
  body?: unknown
}

/** `token` and `key` are filled in when the sample runs: an access token and a new unique ID. */
export type Header = { name: string; value: string | { fill: 'token' | 'key' } }

export const SAMPLE_LANGUAGES = { curl, javascript, python } as const
export type SampleLanguage = keyof typeof SAMPLE_LANGUAGES

const INDENT = 2

// ---------------------------------------------------------------- curl

export function curl({ method, url, headers, body }: Sample): string {
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${shellQuoted(url)}`,
    ...headers.map(({ name, value }) => `-H ${shellHeader(name, value)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellQuoted(pretty(body))}`]),
  ]
  return parts.join(' \\\n  ')
}

/** POSIX: between single quotes every character is literal, except a single quote. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function shellHeader(name: string, value: Header['value']): string {
  if (typeof value === 'string') return shellQuoted(`${name}: ${value}`)
  return value.fill === 'token' ? `"${name}: Bearer $TOKEN"` : `"${name}: $(uuidgen)"`
}

// ---------------------------------------------------------------- JavaScript

export function javascript({ method, url, headers, body }: Sample): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...javascriptHeaders(headers),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(pretty(body))}),`]),
  ]
  const given = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`
  return `const response = await fetch(${JSON.stringify(url)}${given})\nconsole.log(response.status, await response.text())`
}

function javascriptHeaders(headers: readonly Header[]): string[] {
  if (headers.length === 0) return []
  const lines = headers.map(({ name, value }) => `    '${name}': ${javascriptValue(value)},`)
  return ['  headers: {', ...lines, '  },']
}

function javascriptValue(value: Header['value']): string {
  if (typeof value === 'string') return JSON.stringify(value)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the sample's own template
  return value.fill === 'token' ? '`Bearer ${process.env.TOKEN}`' : 'crypto.randomUUID()'
}

// ---------------------------------------------------------------- Python

export function python({ method, url, headers, body }: Sample): string {
  const fills = headers.map(({ value }) => (typeof value === 'string' ? null : value.fill))
  const imports = [
    ...(fills.includes('token') ? ['import os'] : []),
    ...(fills.includes('key') ? ['import uuid'] : []),
  ]
  const given = [
    `    ${JSON.stringify(url)},`,
    ...pythonHeaders(headers),
    ...(body === undefined ? [] : [`    json=${indented(pythonLiteral(body), 4)},`]),
  ]
  return [
    ...imports,
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...given,
    ')',
    'print(response.status_code, response.text)',
  ].join('\n')
}

/** `json=` sets the content type. */
function pythonHeaders(headers: readonly Header[]): string[] {
  const told = headers.filter(({ name }) => name !== 'Content-Type')
  if (told.length === 0) return []
  const lines = told.map(({ name, value }) => `        "${name}": ${pythonValue(value)},`)
  return ['    headers={', ...lines, '    },']
}

function pythonValue(value: Header['value']): string {
  if (typeof value === 'string') return JSON.stringify(value)
  return value.fill === 'token' ? `f"Bearer {os.environ['TOKEN']}"` : 'str(uuid.uuid4())'
}

/** Python reads the strings and numbers of JSON. Only true, false and null differ. */
export function pythonLiteral(value: unknown, depth = 0): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const lines = Array.isArray(value)
    ? value.map((one) => pythonLiteral(one, depth + 1))
    : Object.entries(value).map(
        ([name, one]) => `${JSON.stringify(name)}: ${pythonLiteral(one, depth + 1)}`,
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (lines.length === 0) return `${open}${close}`
  const pad = ' '.repeat((depth + 1) * 4)
  return `${open}\n${lines.map((line) => `${pad}${line},`).join('\n')}\n${' '.repeat(depth * 4)}${close}`
}

// ---------------------------------------------------------------- text

function pretty(value: unknown): string {
  return JSON.stringify(value, null, INDENT)
}

/** Indents every line except the first. A JSON string contains no line breaks. */
function indented(text: string, by = INDENT): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`)
}
