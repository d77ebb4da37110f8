import { CodeBlock } from '@/app/_ui/code-block'
import { EmptyState } from '@/app/_ui/empty-state'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { creationOptions } from '@/lib/accounts/passkeys'
import { shortestAlone } from '@/lib/accounts/passwords'
import { isSetUpLinkOpen } from '@/lib/accounts/set-up'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { newId } from '@/lib/crypto/secrets'
import type { Messages } from '@/lib/i18n'
import { op } from '@/lib/op'
import { SetUpForm } from './form'
import { SetUpFrame } from './frame'

export const generateMetadata = pageTitle(({ setup }) => setup.title)

export default async function SetUpPage({ searchParams }: PageProps) {
  const { token } = await searchParams
  const open = typeof token === 'string' && (await isSetUpLinkOpen(await op(), token))
  return open ? <FirstAccount token={token} /> : <ClosedLink />
}

async function FirstAccount({ token }: { token: string }) {
  const { setup, firstRun, password, passkeys, common } = await currentMessages()
  const portal = await op()
  const userId = newId('usr')
  return (
    <SetUpFrame step="account" title={setup.title} intro={setup.intro}>
      <SetUpForm
        token={token}
        userId={userId}
        options={await creationOptions(portal, { id: userId, email: null, name: null })}
        shortest={await shortestAlone(portal)}
        words={{ ...setup, ...passkeyWords(firstRun) }}
        failures={passkeys.problems}
        password={password}
        common={common}
      />
    </SetUpFrame>
  )
}

function passkeyWords({ or, passkey, passkeyWaiting, passkeyWrong }: Messages['firstRun']) {
  return { or, passkey, passkeyWaiting, passkeyWrong }
}

async function ClosedLink() {
  const { setup, common, front } = await currentMessages()
  return (
    <PageFrame>
      <EmptyState title={setup.closedTitle} text={setup.closed}>
        <div className="max-w-[26rem]">
          <CodeBlock code="npm start" copy={common.copy} copied={common.copied} />
        </div>
        <p className="text-muted">{setup.closedHint}</p>
        <div>
          <LinkButton href="/login" tone="quiet">
            {front.signIn}
          </LinkButton>
        </div>
      </EmptyState>
    </PageFrame>
  )
}
