import { LinkButton } from '@/app/_ui/link-button'
import { QuietLink } from '@/app/_ui/quiet-link'
import { creationOptions } from '@/lib/accounts/passkeys'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { returningTo } from '@/lib/browser/return-to'
import { op } from '@/lib/op'
import { SetUpFrame } from '../frame'
import { ownerApi } from '../owner'
import { ProtectForm } from './form'

export const generateMetadata = pageTitle(({ firstRun }) => firstRun.protect.title)

const NEXT = '/setup/check'

export default async function ProtectPage() {
  const { session } = await ownerApi()
  const { firstRun, passkeys } = await currentMessages()
  const { protect: words } = firstRun
  return (
    <SetUpFrame step="protect" title={words.title} intro={words.intro}>
      <div className="grid gap-4">
        <ProtectForm
          returnTo={NEXT}
          options={await creationOptions(await op(), session.user)}
          words={{ create: words.passkey, waiting: words.waiting }}
          failures={passkeys.problems}
        />
        <LinkButton href={returningTo('/account/security/authenticator', NEXT)} tone="quiet">
          {words.app}
        </LinkButton>
        <div>
          <QuietLink href={NEXT}>{words.skip}</QuietLink>
        </div>
      </div>
    </SetUpFrame>
  )
}
