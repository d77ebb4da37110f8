/** What the operator reads while the portal starts. */

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

export async function sayStep(name: string, work: () => Promise<string>): Promise<void> {
  const started = performance.now()
  const outcome = await work()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  say(`  ${name} ... ${outcome} (${seconds} s)`)
}
