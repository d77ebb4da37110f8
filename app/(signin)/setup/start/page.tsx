import type { ReactNode } from 'react'
import { LinkButton } from '@/app/_ui/link-button'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { SetUpFrame } from '../frame'
import { ownerApi } from '../owner'
import { SampleForm } from './form'

export const generateMetadata = pageTitle(({ firstRun }) => firstRun.start.title)

/** The last step: every choice ends in the overview of the administration. */
export default async function StartPage() {
  await ownerApi()
  const { firstRun, common } = await currentMessages()
  const { start: words } = firstRun
  return (
    <SetUpFrame step="start" title={words.title} intro={words.intro}>
      <ul className="grid gap-4">
        <Choice title={words.empty} text={words.emptyText}>
          <LinkButton href="/admin">{words.emptyGo}</LinkButton>
        </Choice>
        <Choice title={words.sample} text={words.sampleText}>
          <SampleForm label={words.sampleGo} busy={words.sampleGoing} problem={common.problem} />
        </Choice>
        <Choice title={words.import} text={words.importText}>
          <LinkButton href="/admin/settings/configuration" tone="quiet">
            {words.importGo}
          </LinkButton>
        </Choice>
      </ul>
    </SetUpFrame>
  )
}

function Choice({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li className="grid gap-3 rounded-panel border border-line bg-raised px-5 py-5 sm:px-6">
      <div className="grid gap-1">
        <h2 className="font-semibold text-lead">{title}</h2>
        <p className="text-muted">{text}</p>
      </div>
      <div>{children}</div>
    </li>
  )
}
