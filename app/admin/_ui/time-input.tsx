import { currentClock } from '@/lib/browser/clock'
import { toField } from '@/lib/i18n/moments'
import { TextInput } from './form'

type Props = { name: string; label: string; hint?: string; at: string | null | undefined }

/** Date and time in the reader's time zone, which the form sends too; see `timeIn`. */
export async function TimeInput({ at, ...field }: Props) {
  const { zone } = await currentClock()
  return (
    <>
      <input type="hidden" name="zone" value={zone} />
      <TextInput type="datetime-local" {...field} defaultValue={at ? toField(at, zone) : ''} />
    </>
  )
}
