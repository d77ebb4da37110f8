import type { ReactNode } from 'react'

type Props = { question: ReactNode; children: ReactNode }

/** A question and its answer; on a phone, where one stands below the other, sending leads to it. */
export function AskAndAnswer({ question, children }: Props) {
  return (
    <div className="grid items-start gap-8 xl:grid-cols-[26rem_minmax(0,1fr)]">
      {question}
      <div id="answer" className="grid min-w-0 scroll-mt-4 gap-6 xl:scroll-mt-[100vh]">
        {children}
      </div>
    </div>
  )
}

/** A plain form: what is asked is the page’s address, to be shared. */
export function QuestionForm({ page, children }: { page: string; children: ReactNode }) {
  return (
    <form
      action={`${page}#answer`}
      className="grid gap-5 rounded-panel border border-line bg-raised p-5"
    >
      {children}
    </form>
  )
}
