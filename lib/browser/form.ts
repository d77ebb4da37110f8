/** A text field of a form; a file or nothing at all is the empty text. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
