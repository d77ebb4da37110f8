import { worded } from '@/app/_ui/worded'
import { ACR_VALUES } from '@/lib/access/acr'
import { CONTEXT_FIELDS, type ContextField, type ContextTexts } from '@/lib/admin/context-fields'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { choices } from '@/lib/i18n/choices'
import { Select, TextArea, TextInput } from './form'

type Props = { texts: ContextTexts }

type Words = Messages['admin']['access']['context']

/** What the fields are called, for whoever speaks of them. */
export function namesOf(words: Words): Record<ContextField, string> {
  const { time, ip, acr, amr, authAge, userAgent, properties } = words
  return { time, ip, acr, amr, authAge, userAgent, properties }
}

/** Closed until somebody needs it: most questions have no conditions in them. */
export async function DecisionContextFields({ texts }: Props) {
  const { context: words } = (await currentMessages()).admin.access
  const isGiven = CONTEXT_FIELDS.some((name) => texts[name] !== undefined)
  return (
    <details open={isGiven} className="rounded-control border border-line px-4">
      <summary className="min-h-11 cursor-pointer content-center font-semibold">
        {words.title}
      </summary>
      <div className="grid gap-5 pb-4">
        <p className="text-muted text-small">{words.text}</p>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextInput {...worded(words, 'time')} type="datetime-local" defaultValue={texts.time} />
          <TextInput name="ip" label={words.ip} defaultValue={texts.ip} />
          <Select
            name="acr"
            label={words.acr}
            defaultValue={texts.acr ?? ''}
            options={[['', words.acrNone], ...choices(ACR_VALUES, words.acrTexts)]}
          />
          <TextInput name="amr" label={words.amr} hint={words.amrHint} defaultValue={texts.amr} />
          <TextInput
            name="authAge"
            type="number"
            min={0}
            label={words.authAge}
            defaultValue={texts.authAge}
          />
          <TextInput name="userAgent" label={words.userAgent} defaultValue={texts.userAgent} />
        </div>
        <TextArea {...worded(words, 'properties')} code defaultValue={texts.properties} />
      </div>
    </details>
  )
}
