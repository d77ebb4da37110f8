/** What an authenticator answered, as the form that an action reads. */
export function passkeyForm(response: unknown, fields: Record<string, string>): FormData {
  const form = new FormData()
  form.set('passkey', JSON.stringify(response))
  form.set('scripted', 'yes')
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}
