import type { SpaceWire } from '@/lib/api/permissions/spaces'
import { currentMessages } from '@/lib/browser/locale'
import { TextInput } from '../../_ui/form'
import { KeyField } from '../../_ui/key-field'

export async function SpaceFields({ space }: { space?: SpaceWire }) {
  const { spaces: words } = (await currentMessages()).admin
  return (
    <>
      <TextInput name="name" label={words.name} defaultValue={space?.name ?? ''} />
      <KeyField label={words.key} hint={words.keyHint} of={space?.key} />
    </>
  )
}
