/** Text that people type about themselves and that others will read. */

// Controls, line separators, and what turns the direction of text or hides within it.
const SLIPPERY = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/u

export function isPlainText(text: string): boolean {
  return !SLIPPERY.test(text) && text.isWellFormed()
}

/** Without what would be refused. */
export function cleanText(text: string): string {
  return text.toWellFormed().normalize('NFC').replaceAll(new RegExp(SLIPPERY, 'gu'), '').trim()
}
