import { ErrorSummary } from '@/app/_ui/error-summary'
import { LeavingButton } from '@/app/_ui/leaving-button'
import { TextField } from '@/app/_ui/text-field'
import type { Messages } from '@/lib/i18n'

type Props = {
  returnTo: string
  hint: string
  missing: boolean
  words: Messages['login']
  problemTitle: string
}

/** A question and no more: it is sent as an address, and works before any script is there. */
export function IdentifierForm({ returnTo, hint, missing, words, problemTitle }: Props) {
  const error = missing ? words.identifierMissing : undefined
  return (
    <form action="/login" method="get" noValidate className="grid gap-5">
      {error && (
        <ErrorSummary title={problemTitle} problems={[{ field: 'identifier', text: error }]} />
      )}
      {returnTo !== '/' && <input type="hidden" name="returnTo" value={returnTo} />}
      <TextField
        name="identifier"
        label={words.identifier}
        error={error}
        defaultValue={hint}
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        required
      />
      <LeavingButton wide label={words.next} />
    </form>
  )
}
