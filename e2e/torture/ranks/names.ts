/**
 * What a sequence speaks of, by names that hold in every world: `<applications/own>` is another id
 * in each, and `<applications/#12>` is what call 12 made. So a sequence can be played again, whole
 * or with calls left out.
 */

export class NotThere extends Error {}

export class Names {
  readonly #values = new Map<string, string>()

  set(kind: string, label: string, value: string): void {
    this.#values.set(`${kind}/${label}`, value)
  }

  /** What is called so, of any kind. */
  forget(label: string): void {
    for (const name of this.#values.keys()) {
      if (name.split('/')[1]?.startsWith(label)) this.#values.delete(name)
    }
  }

  get(name: string): string {
    const value = this.#values.get(name)
    if (value === undefined) throw new NotThere(name)
    return value
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  /** As they stand in a template: `<users/owner>`. */
  of(kind: string): string[] {
    const all = [...this.#values.keys()].filter((name) => name.startsWith(`${kind}/`))
    return all.sort().map((name) => `<${name}>`)
  }

  values(kind: string): string[] {
    return this.of(kind).map((name) => this.fill(name))
  }

  fill<T>(template: T): T {
    const text = JSON.stringify(template)
    if (text === undefined) return template
    return JSON.parse(text, (_name, value) =>
      typeof value === 'string'
        ? value.replaceAll(/<([\w-]+\/[^<>]+)>/g, (_all, name: string) => this.get(name))
        : value,
    )
  }

  /** The other way round, for whoever reads what was found. */
  told(text: string): string {
    const known = [...this.#values].filter(([, value]) => value.length > 3)
    const longestFirst = known.sort(([, a], [, b]) => b.length - a.length)
    return longestFirst.reduce((told, [name, value]) => told.replaceAll(value, `<${name}>`), text)
  }
}
