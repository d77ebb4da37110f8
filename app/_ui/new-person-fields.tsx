import { worded } from '@/app/_ui/worded'
import type { Messages } from '@/lib/i18n'
import type { Problem } from './error-summary'
import { NewPasswordField } from './new-password-field'
import { TextField } from './text-field'

type Props = {
  typed: { name: string; email: string }
  errorOf: (field: string) => string | undefined
  words: Messages['setup']
  password: Messages['password']
  shortest: number
  common: Messages['common']
}

/** Who somebody new is: the first admin, or whoever registers. */
export function NewPersonFields({ typed, errorOf, words, password, shortest, common }: Props) {
  return (
    <>
      <TextField
        name="name"
        label={words.name}
        error={errorOf('name')}
        defaultValue={typed.name}
        autoComplete="name"
        required
      />
      <TextField
        {...worded(words, 'email')}
        type="email"
        error={errorOf('email')}
        defaultValue={typed.email}
        autoComplete="username"
        required
      />
      <NewPasswordField
        name="password"
        label={words.password}
        error={errorOf('password')}
        shortest={shortest}
        words={password}
        common={common}
      />
    </>
  )
}

export function newPersonProblems(words: Messages['setup']) {
  return {
    name_missing: { field: 'name', text: words.nameMissing },
    name_long: { field: 'name', text: words.nameLong },
    email_missing: { field: 'email', text: words.emailMissing },
    email: { field: 'email', text: words.emailWrong },
  } satisfies Record<string, Problem>
}
