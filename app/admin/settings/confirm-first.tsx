import { LinkButton } from '@/app/_ui/link-button'
import { currentMessages } from '@/lib/browser/locale'
import { wayToConfirm } from '@/lib/browser/session'

/** Above a form that is read-only until they have said again who they are. */
export async function ConfirmFirst() {
  const { confirmFirst } = (await currentMessages()).admin.settings
  return (
    <div className="grid justify-items-start gap-4 rounded-control border border-line px-4 py-4">
      <p>{confirmFirst.text}</p>
      <LinkButton href={await wayToConfirm()}>{confirmFirst.button}</LinkButton>
    </div>
  )
}
