'use client'

import { useActionState, useRef } from 'react'
import { NewPasskeyButton } from '@/app/_ui/new-passkey-button'
import { SubmitButton } from '@/app/_ui/submit-button'
import { TextField } from '@/app/_ui/text-field'
import { worded } from '@/app/_ui/worded'
import type { CreationOptions } from '@/lib/accounts/passkeys'
import type { Messages } from '@/lib/i18n'
import { type AddState, addOne, renameOne } from './actions'

type Words = Messages['passkeys']

type AddProps = { options: CreationOptions; returnTo: string; words: Words }

export function AddPasskeyForm({ options, returnTo, words }: AddProps) {
  const [state, action] = useActionState<AddState, FormData>(addOne, {})
  const form = useRef<HTMLFormElement>(null)
  const typedName = () => String(new FormData(form.current ?? undefined).get('name') ?? '')
  return (
    <form
      ref={form}
      onSubmit={(event) => event.preventDefault()}
      className="grid max-w-[26rem] gap-6"
    >
      <noscript>
        <p className="font-medium">{words.needsScript}</p>
      </noscript>
      <TextField name="name" label={words.name} hint={words.nameHint} maxLength={60} />
      <NewPasskeyButton
        options={options}
        send={action}
        fields={() => ({ name: typedName(), returnTo })}
        problem={state.problem}
        words={words}
        failures={words.problems}
      />
    </form>
  )
}

type RenameProps = { id: string; name: string; words: Words }

export function RenamePasskeyForm({ id, name, words }: RenameProps) {
  return (
    <form action={renameOne} className="grid max-w-[26rem] gap-6">
      <input type="hidden" name="id" value={id} />
      <TextField {...worded(words, 'name')} defaultValue={name} maxLength={60} />
      <div>
        <SubmitButton label={words.save} busyLabel={words.saving} />
      </div>
    </form>
  )
}
