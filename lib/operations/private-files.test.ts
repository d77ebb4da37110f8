import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../e2e/support/folder'
import { closeToOthers, openDataFolder, writePrivateFile } from './private-files'

const modeOf = (path: string) => statSync(path).mode & 0o7777

function openFolder(mode = 0o755): string {
  const folder = temporaryFolder()
  chmodSync(folder, mode)
  return folder
}

function openFile(path: string): string {
  writeFileSync(path, 'x')
  chmodSync(path, 0o644)
  return path
}

const closed = (dataDir: string, database = join(dataDir, 'gatehouse.db')) =>
  closeToOthers({ dataDir, databaseUrl: `file:${database}` })

describe('Q17: a data folder that was there before', () => {
  test('is closed to others, with every file of ours in it; what else is there is left', () => {
    const folder = openFolder(0o750)
    const ours = ['secret', 'demo.json', 'gatehouse.db', 'gatehouse.db-wal', 'gatehouse.db-shm']
    for (const name of [...ours, 'notes.txt']) openFile(join(folder, name))
    mkdirSync(join(folder, 'lost+found'))
    expect(closed(folder)).toEqual([])
    expect(modeOf(folder)).toBe(0o700)
    expect(ours.map((name) => modeOf(join(folder, name)))).toEqual(ours.map(() => 0o600))
    expect(modeOf(join(folder, 'notes.txt'))).toBe(0o644)
  })

  test('the file of a new database is nobody else’s from the start', () => {
    const folder = openFolder()
    closed(folder)
    expect(modeOf(join(folder, 'gatehouse.db'))).toBe(0o600)
    expect(readFileSync(join(folder, 'gatehouse.db'))).toHaveLength(0)
  })

  test('a folder that does not exist yet is made', () => {
    const dataDir = join(openFolder(), 'a', 'b')
    expect(openDataFolder({ dataDir, databaseUrl: 'postgresql://x/y' })).toEqual([])
    expect(modeOf(dataDir)).toBe(0o700)
  })

  test('a database elsewhere is closed, the folder that it lies in is not ours', () => {
    const elsewhere = openFolder()
    const file = openFile(join(elsewhere, 'portal.db'))
    expect(closed(openFolder(), file)).toEqual([])
    expect([modeOf(file), modeOf(elsewhere)]).toEqual([0o600, 0o755])
  })

  test('a folder that holds others is left as it is, and said so; our files are closed', () => {
    const folder = openFolder()
    mkdirSync(join(folder, 'somebody'))
    const file = openFile(join(folder, 'secret'))
    expect(closed(folder)).toEqual([expect.stringContaining('set DATA_DIR to a folder of its own')])
    expect([modeOf(folder), modeOf(file)]).toEqual([0o755, 0o600])
  })

  test('so is one that everybody writes to', () => {
    const folder = openFolder(0o1777)
    expect(closed(folder)).toHaveLength(1)
    expect(modeOf(folder)).toBe(0o1777)
  })

  test.each(['/', dirname(homedir()), homedir(), dirname(process.cwd()), process.cwd()])(
    'and %s',
    (folder) => {
      const before = modeOf(folder)
      const lines = closed(folder, join(openFolder(), 'x.db'))
      expect(lines).toHaveLength((before & 0o077) === 0 ? 0 : 1)
      expect(modeOf(folder)).toBe(before)
    },
  )
})

test('Q17: a file is closed before it is written over', () => {
  const file = openFile(join(openFolder(), 'portal.json'))
  writePrivateFile(file, 'new')
  expect([modeOf(file), readFileSync(file, 'utf8')]).toEqual([0o600, 'new'])
})
