import { execFileSync } from 'node:child_process'

/** The Node.js that servers are started with. */

/** `suffix`: what distinguishes the names of what runs on it. */
export type Runtime = { node: string; suffix: string }

export const OWN: Runtime = { node: process.execPath, suffix: '' }

/** The bench's own Node.js, and the one that `--node=PATH` names. */
export function runtimesIn(args: readonly string[]): Runtime[] {
  const paths = args.flatMap((arg) => (arg.startsWith(OPTION) ? arg.slice(OPTION.length) : []))
  return [OWN, ...paths.map(runtimeAt)]
}

const OPTION = '--node='

function runtimeAt(node: string): Runtime {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  return { node, suffix: `, Node ${version.slice(1)}` }
}
