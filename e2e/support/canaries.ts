/** Secrets that are known, and the places where they must not be found, however they are written. */

export class Canaries {
  readonly #values = new Map<string, string>()

  /** `value` as it goes over the wire or is typed. */
  keep(what: string, value: string | undefined): void {
    // What is shorter could be there by chance.
    if (value === undefined || value.length < 12) throw new Error(`no canary: ${what}`)
    this.#values.set(what, value)
  }

  get size(): number {
    return this.#values.size
  }

  /** The names of those that are in there, and in which form. */
  foundIn(place: Buffer | string): string[] {
    const bytes = Buffer.isBuffer(place) ? place : Buffer.from(place)
    return [...this.#values].flatMap(([what, value]) =>
      formsOf(value).flatMap(([form, text]) => (bytes.includes(text) ? [`${what} (${form})`] : [])),
    )
  }
}

function formsOf(value: string): [form: string, text: string][] {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  return [
    ['plain', value],
    ['JSON', JSON.stringify(value).slice(1, -1)],
    ['URL', encodeURIComponent(value)],
    ['form', new URLSearchParams({ '': value }).toString().slice(1)],
    ['hex', hex],
    ['HEX', hex.toUpperCase()],
    ...[0, 1, 2].flatMap((shift): [string, string][] => [
      ['base64', shifted(bytes, shift, 'base64')],
      ['base64url', shifted(bytes, shift, 'base64url')],
    ]),
  ]
}

/** As a part of something longer: without the characters that its neighbours have a share in. */
function shifted(bytes: Buffer, shift: number, encoding: 'base64' | 'base64url'): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString(encoding)
    .replaceAll('=', '')
  return text.slice(shift === 0 ? 0 : 4, -2)
}
