import type { ReactNode } from 'react'
import { CodePanel } from '@/app/docs/api/code'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import type { Guide, WrittenGuide } from '@/lib/quick-start'
import { Tabs } from './tabs'

/** The one that `with` names, else the first; there is always one. */
export function chosenSample(guides: readonly WrittenGuide[], asked: unknown): WrittenGuide {
  const chosen = guides.find(({ id }) => id === asked) ?? guides[0]
  if (!chosen) throw new Error('no samples')
  return chosen
}

type Props = {
  path: string
  guides: readonly WrittenGuide[]
  chosen: WrittenGuide
  /** What has to be so before it works. */
  children?: ReactNode
}

/** Quick starts: one of several, step by step. */
export async function Samples({ path, guides, chosen, children }: Props) {
  const { quickStart: words } = (await currentMessages()).admin.applications
  const tabs = guides.map(({ id, guide }) => ({
    href: `${path}?with=${id}`,
    label: guide.label,
    current: id === chosen.id,
  }))
  return (
    <>
      <Tabs label={words.choose} tabs={tabs} wrap />
      <div className="grid max-w-[54rem] grid-cols-[minmax(0,1fr)] gap-5">
        <Before guide={chosen.guide}>{children}</Before>
        <Steps guide={chosen.guide} />
      </div>
    </>
  )
}

/** Said by the page itself, because it depends on the application. */
const BY_THE_PAGE = 'pkceOff'

async function Before({ guide, children }: { guide: Guide; children: ReactNode }) {
  const { quickStart: words } = (await currentMessages()).admin.applications
  const needs = guide.needs.filter((need) => need !== BY_THE_PAGE)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-panel border border-line bg-raised px-5 py-4 [overflow-wrap:anywhere] empty:hidden">
      {children}
      {needs.map((need) => (
        <p key={need}>{words.needs[need]}</p>
      ))}
      {!guide.tested && <p className="text-muted">{words.notRun}</p>}
    </div>
  )
}

async function Steps({ guide }: { guide: Guide }) {
  const { admin, common } = await currentMessages()
  const { quickStart: words } = admin.applications
  const { settings, install, files, run, open } = guide
  return (
    <>
      {install && <CodePanel id="install" label={words.install} text={install} common={common} />}
      {files.map(({ name, text }, at) => (
        <CodePanel
          key={name}
          id={`file-${at}`}
          label={fill(words.file, { name })}
          text={text}
          common={common}
        />
      ))}
      {settings && (
        <CodePanel id="settings" label={words.environment} text={settings} common={common} />
      )}
      <CodePanel id="run" label={words.run} text={run} common={common} />
      {open && (
        <p id="open" className="[overflow-wrap:anywhere]">
          {fill(words.open, { address: open })}
        </p>
      )}
    </>
  )
}
