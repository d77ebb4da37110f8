// Writes into docs/attacks.md which tests prove each row. With --check it only compares, and fails
// if they differ.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DOCUMENT = 'docs/attacks.md'
const TESTS = ['*.test.ts', '*.spec.ts', '*.test.mjs']
const SOURCES = ['*.ts', '*.tsx', '*.mjs']

const ROW = /^\| ([A-Z]\d{1,3}) \|(.*)\|([^|]*)\|$/
const STRING = /(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/g
const IDS = String.raw`([A-Z]\d{1,3}(?:, [A-Z]\d{1,3})*)`
const AT_THE_BEGINNING = new RegExp(`^${IDS}: `)
const AT_THE_END = new RegExp(String.raw` \(${IDS}\)$`)
const IN_A_COMMENT = new RegExp(String.raw`\battacks? ${IDS}`, 'gi')
const NOT_APPLICABLE = 'Not applicable: '

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) main()

function main() {
  const file = join(ROOT, DOCUMENT)
  const written = readFileSync(file, 'utf8')
  const cited = citations(read(TESTS))
  const { text, problems } = generate(written, cited, comments(read(SOURCES)))
  const check = process.argv.includes('--check')
  if (check && text !== written) problems.push(`${DOCUMENT} is out of date: node bin/attacks.mjs`)
  if (!check) writeFileSync(file, text)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}

/** The document with its last column, and the problems found; `mentioned`: IDs in comments. */
export function generate(document, cited, mentioned = []) {
  const known = new Set()
  const problems = []
  const lines = document.split('\n').map((line) => {
    const [, id, middle, last] = line.match(ROW) ?? []
    if (id === undefined) return line
    if (known.has(id)) problems.push(`${id} is in the list twice`)
    known.add(id)
    const places = cited.filter(({ ids }) => ids.includes(id))
    problems.push(...problemsOf(id, last.trim(), places))
    return `| ${id} |${middle}| ${places.length > 0 ? tell(places) : last.trim()} |`
  })
  for (const { ids, file, title } of [...cited, ...mentioned]) {
    for (const id of ids.filter((id) => !known.has(id)))
      problems.push(`${file}: "${title}" cites ${id}, which is not in the list`)
  }
  return { text: lines.join('\n'), problems }
}

function problemsOf(id, last, places) {
  const applies = !last.startsWith(NOT_APPLICABLE)
  if (applies && places.length === 0) return [`${id} has no test`]
  if (!applies && places.length > 0) return [`${id} is not applicable, and a test cites it`]
  return []
}

/** One line for each file, with the first title in it. */
function tell(places) {
  const files = new Map()
  for (const place of places) files.set(place.file, [...(files.get(place.file) ?? []), place])
  return [...files]
    .map(([file, [{ title }, ...more]]) => {
      const others = more.length > 0 ? ` and ${more.length} more` : ''
      return `[${file}](../${file}): ${inCell(title)}${others}`
    })
    .join('<br>')
}

function inCell(title) {
  return title.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}

/** Titles are strings of a test file that cite IDs; rows of a table of tests are titles too. */
export function citations(files) {
  return files.flatMap(({ file, text }) =>
    [...text.matchAll(STRING)].flatMap(([, , title]) => {
      const ids = idsOf(title)
      return ids.length > 0 ? [{ file, title, ids }] : []
    }),
  )
}

function idsOf(title) {
  const found = [title.match(AT_THE_BEGINNING), title.match(AT_THE_END)]
  return found.flatMap((match) => match?.[1].split(', ') ?? [])
}

/** Comments cite a row as `attack A4`. */
export function comments(files) {
  return files.flatMap(({ file, text }) =>
    [...text.matchAll(IN_A_COMMENT)].map(([title, ids]) => ({ file, title, ids: ids.split(', ') })),
  )
}

export function read(patterns) {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns]
  const files = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  return files
    .filter((file) => !file.startsWith('bin/attacks.') && existsSync(join(ROOT, file)))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))
}
