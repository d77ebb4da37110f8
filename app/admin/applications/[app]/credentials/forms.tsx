import type { ReactNode } from 'react'
import { QuietLink } from '@/app/_ui/quiet-link'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import type { SecretWire } from '@/lib/api/applications/secrets'
import { currentMessages } from '@/lib/browser/locale'
import { choices } from '@/lib/i18n/choices'
import { fill } from '@/lib/i18n/fill'
import { AdminForm, Select, TextInput } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { onceWords } from '../../once'
import { ShownOnce } from '../../shown-once'
import { addSecret, createKey, rotateSecret } from './actions'
import { KeyFields } from './key-fields'

type Props = { app: ApplicationWire }

const EXPIRY_DAYS = ['30', '90', '180', '360', 'never'] as const
const PRESET_DAYS = '180'
const GRACE_SECONDS = ['0', '3600', '86400', '604800'] as const
const PRESET_GRACE = '86400'

function Box({ children }: { children: ReactNode }) {
  return (
    <div className="rounded-control border border-edge bg-paper px-4 py-5 sm:px-5">
      <div className="max-w-[42rem]">{children}</div>
    </div>
  )
}

async function Cancel({ app }: Props) {
  const { form } = (await currentMessages()).admin
  return (
    <QuietLink href={`/admin/applications/${encodeURIComponent(app.id)}/credentials`}>
      {form.cancel}
    </QuietLink>
  )
}

export async function NewSecret({ app }: Props) {
  const { credentials: words } = (await currentMessages()).admin.applications
  return (
    <Box>
      <AdminForm
        action={addSecret}
        words={{ ...(await formWords('create')), submit: words.add }}
        hidden={{ id: app.id }}
        made={<ShownOnce words={await onceWords()} />}
        aside={<Cancel app={app} />}
      >
        <h3 className="font-semibold text-lead">{words.add}</h3>
        <NameAndExpiry />
      </AdminForm>
    </Box>
  )
}

async function NameAndExpiry() {
  const { credentials: words } = (await currentMessages()).admin.applications
  return (
    <>
      <TextInput name="name" label={words.addName} hint={words.addNameHint} />
      <Select
        name="expiry"
        label={words.expiry}
        defaultValue={PRESET_DAYS}
        options={choices(EXPIRY_DAYS, words.expiries)}
      />
    </>
  )
}

/** A new one at once; the old one ends after a grace. */
export async function Rotation({ app, old }: Props & { old: SecretWire }) {
  const { credentials: words } = (await currentMessages()).admin.applications
  const common = await formWords('create')
  return (
    <Box>
      <AdminForm
        action={rotateSecret}
        words={{ ...common, submit: words.rotateDo, busy: words.rotateBusy }}
        hidden={{ id: app.id, secret: old.id }}
        made={<ShownOnce words={await onceWords()} />}
        aside={<Cancel app={app} />}
      >
        <div className="grid gap-1">
          <h3 className="font-semibold text-lead">{fill(words.rotateNamed, { name: old.name })}</h3>
          <p className="text-muted">{words.rotateText}</p>
        </div>
        <NameAndExpiry />
        <Select
          name="grace"
          label={words.grace}
          defaultValue={PRESET_GRACE}
          options={choices(GRACE_SECONDS, words.graces)}
        />
      </AdminForm>
    </Box>
  )
}

export async function NewKey({ app }: Props) {
  const { credentials: words } = (await currentMessages()).admin.applications
  return (
    <Box>
      <AdminForm
        action={createKey}
        words={{ ...(await formWords('create')), submit: words.addKey }}
        hidden={{ id: app.id }}
        made={<ShownOnce words={await onceWords()} />}
        aside={<Cancel app={app} />}
      >
        <h3 className="font-semibold text-lead">{words.addKey}</h3>
        <KeyFields words={words} />
      </AdminForm>
    </Box>
  )
}
