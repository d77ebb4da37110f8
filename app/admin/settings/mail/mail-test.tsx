'use client'

import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { AdminForm, useMade } from '../../_ui/form'
import { type TestedMail, testMail } from '../actions'

type Words = Messages['admin']['settings']['mail']

export function MailTest({ words, problem }: { words: Words; problem: string }) {
  const texts = { submit: words.testTo, busy: words.testing, problem }
  return (
    <AdminForm action={testMail} words={texts}>
      <Answer words={words} />
    </AdminForm>
  )
}

/** In the server's own words: they say what to mend. */
function Answer({ words }: { words: Words }) {
  const tested = useMade<TestedMail>()
  if (!tested) return null
  const { sent, said, to } = tested
  return (
    <div
      role="status"
      className={`grid gap-2 rounded-control border px-4 py-3 ${sent ? 'border-accent bg-wash' : 'border-danger bg-danger-wash'}`}
    >
      <p className="font-semibold">{sent ? fill(words.sent, { to }) : words.notSent}</p>
      <p className="text-small">
        {words.said}: <code className="code">{said}</code>
      </p>
    </div>
  )
}
