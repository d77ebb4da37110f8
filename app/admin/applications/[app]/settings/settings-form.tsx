import type { ReactNode } from 'react'
import { Section } from '@/app/_ui/section'
import type { AdminApi } from '@/lib/admin/api'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import { AdminForm } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { saveApplication } from '../../actions'

export type EditedApplication = { api: AdminApi; app: ApplicationWire; version: string }

type Props = EditedApplication & {
  section: string
  title: string
  text?: string
  children: ReactNode
}

/** One part of the settings: a form of its own, so that a mistake in one does not hold up the rest. */
export async function SettingsForm(props: Props) {
  const { api, app, version, section, title, text, children } = props
  return (
    <Section title={title} {...(text && { text })}>
      <div className="max-w-[46rem]">
        <AdminForm
          action={saveApplication}
          words={await formWords('save')}
          hidden={{ id: app.id, version, section }}
          readOnly={!api.may('applications:write')}
        >
          {children}
        </AdminForm>
      </div>
    </Section>
  )
}
