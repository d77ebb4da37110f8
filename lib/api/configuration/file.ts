import { readFileSync } from 'node:fs'
import type { Op } from '../../context/op'
import { applyConfiguration } from './apply'
import { type Configuration, ConfigurationError, parseConfiguration } from './schema'

type Options = Parameters<typeof applyConfiguration>[2]

export async function applyFile(op: Op, file: string, options: Options): Promise<string[]> {
  try {
    return await applyConfiguration(op, readConfiguration(file), options)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    throw new ConfigurationError(`${file}: ${error.message}`)
  }
}

/** The last line: the number of changes. */
export function outcome(lines: readonly string[]): string {
  if (lines.length === 0) return 'nothing to do'
  return lines.length === 1 ? '1 change' : `${lines.length} changes`
}

export function readConfiguration(file: string): Configuration {
  return parseConfiguration(read(file))
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigurationError(`cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
