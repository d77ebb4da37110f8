import type { ReactNode } from 'react'
import { Removal } from '@/app/_ui/removal'
import type { FormState } from '@/lib/browser/api-form'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { AdminForm, type FormWords, TextInput } from './form'
import { formWords } from './form-words'

type Props = { title: string; summary: string; text: string; children: ReactNode }

/** What cannot be taken back: apart from the rest, and asked about first. */
export function DangerZone({ title, summary, text, children }: Props) {
  return (
    <section className="grid gap-3 rounded-panel border border-danger px-5 py-5 sm:px-6">
      <h2 className="font-semibold text-danger text-lead">{title}</h2>
      <Removal summary={summary} text={text}>
        {children}
      </Removal>
    </section>
  )
}

type DeletionProps = {
  action(before: FormState, form: FormData): Promise<FormState>
  words: { dangerTitle: string; dangerSummary: string; danger: string }
  /** What has to be typed before it is deleted. */
  name: string
  hidden: Readonly<Record<string, string>>
  form?: FormWords
  children?: ReactNode
}

/** The end of a page: deletes what the page is about. */
export async function Deletion(props: DeletionProps) {
  const { action, words, name, hidden, form, children } = props
  const { typeName } = (await currentMessages()).admin.form
  return (
    <DangerZone title={words.dangerTitle} summary={words.dangerSummary} text={words.danger}>
      <AdminForm
        action={action}
        words={form ?? (await formWords('delete'))}
        hidden={{ ...hidden, name }}
      >
        <TextInput name="typed" label={fill(typeName, { name })} />
        {children}
      </AdminForm>
    </DangerZone>
  )
}
