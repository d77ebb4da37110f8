// node bin/release.mjs 0.2.0 [--dry-run]: cuts a version. It writes the version into package.json
// and package-lock.json, gives the section *Unreleased* of the changelog that version and its date,
// commits, and makes a tag whose text is that section.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const HEADING = '## Unreleased'
const SEMANTIC = /^(\d+)\.(\d+)\.(\d+)$/

export class ReleaseError extends Error {}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) main()

function main() {
  const [version, option] = process.argv.slice(2)
  try {
    release(version, new Date().toISOString().slice(0, 10), option === '--dry-run')
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

function release(version, date, dryRun) {
  const current = JSON.parse(read('package.json')).version
  requireNext(current, version)
  const { changelog, notes } = cut(read('CHANGELOG.md'), version, date)
  if (dryRun) return console.log(notes)
  requireClean()
  write('CHANGELOG.md', changelog)
  for (const file of ['package.json', 'package-lock.json']) {
    write(file, withVersion(read(file), current, version))
  }
  git('commit', '-aqm', `chore(release): ${version}`)
  git('tag', '-a', `v${version}`, '--cleanup=verbatim', '-m', `Gatehouse ${version}\n\n${notes}`)
  console.log(`v${version} is committed and tagged; push it with: git push --follow-tags`)
}

export function requireNext(current, version) {
  const [now, next] = [current, version ?? ''].map((text) => SEMANTIC.exec(text)?.slice(1))
  if (!next) throw new ReleaseError('usage: node bin/release.mjs 0.2.0 [--dry-run]')
  const at = next.findIndex((part, index) => part !== now[index])
  if (at === -1 || Number(next[at]) < Number(now[at])) {
    throw new ReleaseError(`${version} does not come after ${current}`)
  }
}

/** The changelog with the new version, and the text of that version. */
export function cut(changelog, version, date) {
  const start = changelog.indexOf(`${HEADING}\n`)
  if (start === -1) throw new ReleaseError(`CHANGELOG.md has no section "${HEADING}"`)
  const from = start + HEADING.length + 1
  const next = changelog.indexOf('\n## ', from)
  const notes = changelog.slice(from, next === -1 ? undefined : next).trim()
  if (!notes.includes('\n- ')) throw new ReleaseError('CHANGELOG.md has nothing unreleased')
  const released = `${HEADING}\n\nNothing yet.\n\n## ${version} (${date})\n`
  return { changelog: changelog.slice(0, start) + released + changelog.slice(from), notes }
}

/** The first place only: in the lockfile, the package comes before what it depends on. */
export function withVersion(text, current, version) {
  const isLockfile = text.includes('"lockfileVersion"')
  const once = (one) => one.replace(`"version": "${current}"`, `"version": "${version}"`)
  return isLockfile ? once(once(text)) : once(text)
}

function requireClean() {
  if (git('status', '--porcelain') === '') return
  throw new ReleaseError('the working tree has changes: commit them first')
}

function git(...args) {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
}

function read(name) {
  return readFileSync(join(ROOT, name), 'utf8')
}

function write(name, text) {
  writeFileSync(join(ROOT, name), text)
}
