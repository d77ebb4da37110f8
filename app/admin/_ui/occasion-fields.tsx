import { ACR_VALUES } from '@/lib/access/acr'
import { CONTEXT_FIELDS, type ContextField, type ContextTexts } from '@/lib/admin/context-fields'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { choices } from '@/lib/i18n/choices'
import { Select, TextArea, TextInput } from './form'

type Props = { occasion: ContextTexts }

type Words = Messages['admin']['access']['context']

/** What the fields are called, for whoever speaks of them. */
export function namesOf(words: Words): Record<ContextField, string> {
  const { time, ip, acr, amr, authAge, userAgent, properties } = words
  return { time, ip, acr, amr, authAge, userAgent, properties }
}

/** Closed until somebody needs it: most questions have no conditions in them. */
export async function OccasionFields({ occasion }: Props) {
  const { context: words } = (await currentMessages()).admin.access
  const isGiven = CONTEXT_FIELDS.some((name) => occasion[name] !== undefined)
  return (
    <details open={isGiven} className="rounded-control border border-line px-4">
      <summary className="min-h-11 cursor-pointer content-center font-semibold">
        {words.title}
      </summary>
      <div className="grid gap-5 pb-4">
        <p className="text-muted text-small">{words.text}</p>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextInput
            name="time"
            type="datetime-local"
            label={words.time}
            hint={words.timeHint}
            defaultValue={occasion.time}
          />
          <TextInput name="ip" label={words.ip} defaultValue={occasion.ip} />
          <Select
            name="acr"
            label={words.acr}
            defaultValue={occasion.acr ?? ''}
            options={[['', words.acrNone], ...choices(ACR_VALUES, words.acrTexts)]}
          />
          <TextInput
            name="amr"
            label={words.amr}
            hint={words.amrHint}
            defaultValue={occasion.amr}
          />
          <TextInput
            name="authAge"
            type="number"
            min={0}
            label={words.authAge}
            defaultValue={occasion.authAge}
          />
          <TextInput name="userAgent" label={words.userAgent} defaultValue={occasion.userAgent} />
        </div>
        <TextArea
          name="properties"
          code
          label={words.properties}
          hint={words.propertiesHint}
          defaultValue={occasion.properties}
        />
      </div>
    </details>
  )
}
