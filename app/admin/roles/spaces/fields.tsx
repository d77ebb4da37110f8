import { worded } from '@/app/_ui/worded'
import type { SpaceWire } from '@/lib/api/permissions/spaces'
import { currentMessages } from '@/lib/browser/locale'
import { TextInput } from '../../_ui/form'

export async function SpaceFields({ space }: { space?: SpaceWire }) {
  const { spaces: words } = (await currentMessages()).admin
  return (
    <>
      <TextInput name="name" label={words.name} defaultValue={space?.name ?? ''} />
      <TextInput {...worded(words, 'key')} defaultValue={space?.key ?? ''} />
    </>
  )
}
