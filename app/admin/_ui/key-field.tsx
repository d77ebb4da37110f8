import { currentMessages } from '@/lib/browser/locale'
import { TextInput } from './form'
import { KeyInput } from './key-input'

type Props = { name?: string; label: string; hint: string; of: string | undefined }

/** The key of something that is there, or of something new. */
export async function KeyField({ name = 'key', hint, of, label }: Props) {
  const { form } = (await currentMessages()).admin
  if (of !== undefined) return <TextInput name={name} label={label} hint={hint} defaultValue={of} />
  const how = `${hint} ${form.keyFromName}`
  return <KeyInput name={name} label={label} mark={form.optional} hint={how} defaultValue="" />
}
