import type { ApplicationWire } from '@/lib/api/applications/applications'
import { currentMessages } from '@/lib/browser/locale'
import { TextInput } from '../_ui/form'

type Props = { kind: ApplicationWire['kind']; app?: ApplicationWire }

/** A machine signs nobody in, so no user sees what it is called and whose it is. */
export async function Names({ kind, app }: Props) {
  const { applications: words, form } = (await currentMessages()).admin
  const { wizard } = words
  const isMachine = kind === 'machine'
  return (
    <>
      <TextInput
        name="name"
        label={words.name}
        hint={isMachine ? wizard.machineNameHint : wizard.nameHint}
        defaultValue={app?.name}
      />
      <TextInput
        name="publisher"
        label={words.publisher}
        mark={form.optional}
        hint={isMachine ? wizard.machinePublisherHint : wizard.publisherHint}
        defaultValue={app?.publisher ?? undefined}
      />
    </>
  )
}
