import type { ReactNode } from 'react'
import { QuietLink } from '@/app/_ui/quiet-link'
import type { AdminApi } from '@/lib/admin/api'
import type { NavigationPath } from '@/lib/admin/pages'
import type { FormState } from '@/lib/browser/api-form'
import { currentMessages } from '@/lib/browser/locale'
import { AdminForm } from './form'
import { formWords } from './form-words'
import { AdminFrame } from './frame'

type Props = {
  api: AdminApi
  page: NavigationPath
  title: string
  intro: ReactNode
  /** The list that it will be in: the way back, and where Cancel leads. */
  above: { href: string; label: string }
  action(before: FormState, form: FormData): Promise<FormState>
  hidden?: Record<string, string>
  /** Instead of the form, once it has made something that is shown once. */
  made?: ReactNode
  /** The fields of the form. */
  children: ReactNode
}

/** A page that creates one thing: its fields, Create and Cancel. */
export async function CreatePage({ action, hidden = {}, made, children, ...frame }: Props) {
  const { form } = (await currentMessages()).admin
  return (
    <AdminFrame {...frame}>
      <div className="max-w-[38rem]">
        <AdminForm
          action={action}
          words={await formWords('create')}
          hidden={hidden}
          made={made}
          aside={<QuietLink href={frame.above.href}>{form.cancel}</QuietLink>}
        >
          {children}
        </AdminForm>
      </div>
    </AdminFrame>
  )
}
