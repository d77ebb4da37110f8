import { currentMessages } from '@/lib/browser/locale'

export async function BackToSecurity() {
  const { account } = await currentMessages()
  return (
    <p>
      <a href="/account/security" className="text-link">
        {account.back}
      </a>
    </p>
  )
}
