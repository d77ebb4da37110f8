import { worded } from '@/app/_ui/worded'
import type { AdminApi } from '@/lib/admin/api'
import { meantIn } from '@/lib/admin/choice'
import type { AssertionWire } from '@/lib/api/permissions/assertions'
import { currentMessages } from '@/lib/browser/locale'
import { Choose } from '../../_ui/choose'
import { Select, TextArea, TextInput } from '../../_ui/form'

type Props = { api: AdminApi; assertion?: AssertionWire }

/** The question, and the answer that it must have. */
export async function AssertionFields({ api, assertion }: Props) {
  const { assertions: words } = (await currentMessages()).admin.access
  const question = assertion?.question
  const value = question?.user ?? question?.client
  const { subject } = await meantIn(api, { subject: 'subject' }, value ? { subject: value } : {})
  return (
    <>
      <Choose {...worded(words, 'subject')} kind="subject" value={value} meant={subject} />
      <Choose
        name="permission"
        kind="permission"
        label={words.permission}
        value={question?.permission}
      />
      <Select
        name="expected"
        label={words.expected}
        defaultValue={assertion && !assertion.expected ? 'no' : 'yes'}
        options={[
          ['yes', words.yes],
          ['no', words.no],
        ]}
      />
      <TextInput
        name="instance"
        label={words.instance}
        defaultValue={question?.resource?.id ?? ''}
      />
      <TextArea
        {...worded(words, 'context')}
        code
        defaultValue={question?.context ? JSON.stringify(question.context, null, 2) : ''}
      />
    </>
  )
}
