/** What `--demo` loads: sample data with thirty days of activity, or the data alone. */

const DEMO_KINDS = { '--demo': 'full', '--demo=quiet': 'quiet' } as const
export type DemoKind = (typeof DEMO_KINDS)[keyof typeof DEMO_KINDS]

/** Something is wrong with the demo, and the operator reads the message. */
export class DemoRefused extends Error {}

/** As they were typed, for a worker. */
export function demoArguments(args: readonly string[]): string[] {
  return args.filter((one) => one === '--demo' || one.startsWith('--demo='))
}

/** Null without a demo. */
export function demoKindIn(args: readonly string[]): DemoKind | null {
  const [argument] = demoArguments(args)
  if (argument === undefined) return null
  const kind = new Map<string, DemoKind>(Object.entries(DEMO_KINDS)).get(argument)
  if (kind) return kind
  throw new DemoRefused(`${argument} is not known: use ${Object.keys(DEMO_KINDS).join(' or ')}`)
}
