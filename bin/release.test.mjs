import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { cut, requireNext, withVersion } from './release.mjs'

const CHANGELOG = `# Changelog

## Unreleased

**Upgrade notes.** Nothing to do.

### For users

- A thing.

## 0.1.0

The first version.
`

describe('a release', () => {
  test('gives the unreleased section its version and date, and starts a new one', () => {
    const { changelog, notes } = cut(CHANGELOG, '0.2.0', '2026-11-18')
    expect(notes).toBe('**Upgrade notes.** Nothing to do.\n\n### For users\n\n- A thing.')
    expect(changelog).toContain('## Unreleased\n\nNothing yet.\n\n## 0.2.0 (2026-11-18)\n')
    expect(changelog).toContain('- A thing.\n\n## 0.1.0')
  })

  test('needs something to release', () => {
    const { changelog } = cut(CHANGELOG, '0.2.0', '2026-11-18')
    expect(() => cut(changelog, '0.3.0', '2026-11-19')).toThrow('nothing unreleased')
    expect(() => cut('# Changelog\n', '0.3.0', '2026-11-19')).toThrow('no section')
  })

  test.each(['', '0.1', 'v0.2.0', '0.1.0', '0.0.9'])('refuses the version "%s"', (version) => {
    expect(() => requireNext('0.1.0', version)).toThrow()
  })

  test.each(['0.1.1', '0.2.0', '1.0.0', '0.10.0'])('accepts %s after 0.1.0', (version) => {
    expect(() => requireNext('0.1.0', version)).not.toThrow()
  })

  test('changes the version of this package and of no other', () => {
    const lockfile = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')
    const { version } = JSON.parse(lockfile)
    const before = JSON.parse(lockfile).packages
    const after = JSON.parse(withVersion(lockfile, version, '99.0.0'))
    expect([after.version, after.packages[''].version]).toEqual(['99.0.0', '99.0.0'])
    for (const [path, entry] of Object.entries(before)) {
      if (path !== '') expect(after.packages[path]).toEqual(entry)
    }
  })
})
