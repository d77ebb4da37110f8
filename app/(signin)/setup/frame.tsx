import type { ReactNode } from 'react'
import { Heading } from '@/app/_ui/heading'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'

const STEPS = ['account', 'protect', 'check', 'start'] as const

type Props = {
  step: (typeof STEPS)[number]
  title: string
  intro: string
  children: ReactNode
}

/** One step of the first run: which of how many, and what it is about. */
export async function SetUpFrame({ step, title, intro, children }: Props) {
  const { firstRun } = await currentMessages()
  const at = STEPS.indexOf(step) + 1
  return (
    <PageFrame plain gate={step === 'account' ? 'shut' : 'open'}>
      <div className="grid max-w-[32rem] gap-8">
        <div className="grid gap-3">
          <p className="text-muted text-small">
            {fill(firstRun.step, { at: String(at), all: String(STEPS.length) })}
          </p>
          <Heading title={title} text={intro} />
        </div>
        {children}
      </div>
    </PageFrame>
  )
}
