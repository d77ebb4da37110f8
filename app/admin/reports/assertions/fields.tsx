import type { AdminApi } from '@/lib/admin/api'
import type { AssertionWire } from '@/lib/api/routes/assertions'
import { currentMessages } from '@/lib/browser/locale'
import { choices } from '@/lib/i18n/choices'
import { Select, TextArea, TextInput } from '../../_ui/form'
import { PermissionSuggestions, UserSuggestions } from '../../_ui/suggestions'

type Props = { api: AdminApi; assertion?: AssertionWire }

/** The question, and the answer that it must have. */
export async function AssertionFields({ api, assertion }: Props) {
  const { assertions: words } = (await currentMessages()).admin.access
  const question = assertion?.question
  return (
    <>
      <Select
        name="kind"
        label={words.subjectKind}
        defaultValue={question?.client === undefined ? 'user' : 'client'}
        options={choices(['user', 'client'], words.kinds)}
      />
      <TextInput
        name="subject"
        list="users"
        label={words.subject}
        hint={words.subjectHint}
        defaultValue={question?.user ?? question?.client ?? ''}
      />
      <UserSuggestions api={api} id="users" />
      <TextInput
        name="permission"
        list="permissions"
        label={words.permission}
        defaultValue={question?.permission ?? ''}
      />
      <PermissionSuggestions api={api} id="permissions" />
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
        name="context"
        code
        label={words.context}
        hint={words.contextHint}
        defaultValue={question?.context ? JSON.stringify(question.context, null, 2) : ''}
      />
    </>
  )
}
