import { worded } from '@/app/_ui/worded'
import { adminPage } from '@/lib/admin/api'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { sendsMail } from '@/lib/delivery/mail/mode'
import { op } from '@/lib/op'
import { ChooseMany, searchSource } from '../../_ui/choose'
import { CreatePage } from '../../_ui/create-page'
import { Check, Ticks } from '../../_ui/form'
import { onceWords } from '../../applications/once'
import { ShownOnce } from '../../applications/shown-once'
import { createUser } from '../actions'
import { MoreUserFields, UserFields } from '../fields'

export const generateMetadata = pageTitle(({ admin }) => admin.users.newTitle)

export default async function NewUserPage() {
  const api = await adminPage('/admin/users/new')
  const { admin } = await currentMessages()
  const { users: words } = admin
  const hasMail = sendsMail(await op())
  return (
    <CreatePage
      api={api}
      page="/admin/users"
      title={words.newTitle}
      intro={words.newIntro}
      above={{ href: '/admin/users', label: words.title }}
      action={createUser}
      made={<ShownOnce words={await onceWords()} />}
    >
      <UserFields words={words} />
      {api.may('assignments:write') && (
        <ChooseMany {...worded(words, 'roles')} source={searchSource('role')} chosen={[]} />
      )}
      <Ticks name="invite">
        <Check
          name="invite"
          label={hasMail ? words.inviteNow : words.linkNow}
          hint={hasMail ? words.inviteNowHint : words.linkNowHint}
          checked
        />
      </Ticks>
      <details className="open-on-problem rounded-control border border-line px-4">
        <summary className="min-h-11 cursor-pointer content-center font-semibold">
          {words.moreFields}
        </summary>
        <div className="grid gap-6 pt-1 pb-5">
          <MoreUserFields words={words} />
        </div>
      </details>
    </CreatePage>
  )
}
