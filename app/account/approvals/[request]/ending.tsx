import { Removal } from '@/app/_ui/removal'
import { AdminForm, TextArea } from '@/app/admin/_ui/form'
import type { AccessRequestDetail } from '@/lib/api/requests/routes'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { endAccess } from './actions'

/** Takes back what was given, before its end. */
export async function Ending({ request }: { request: AccessRequestDetail }) {
  const { requests, common } = await currentMessages()
  const { approvals: words } = requests
  const texts = { submit: words.endNow, busy: words.ending, problem: common.problem }
  return (
    <Removal summary={words.end} text={fill(words.endText, { name: request.user.name })}>
      <AdminForm action={endAccess} words={texts} hidden={{ request: request.id }} quiet>
        <TextArea name="reason" label={words.endWhy} hint={words.endWhyHint} />
      </AdminForm>
    </Removal>
  )
}
