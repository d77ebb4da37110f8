import type { ReactNode } from 'react'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { Section } from '@/app/_ui/section'
import { currentMessages } from '@/lib/browser/locale'
import { returningTo } from '@/lib/browser/return-to'
import { currentSession, heldSessions } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'

/** A link in a letter that only its own account may use, opened by somebody else or by nobody. */

type Props = {
  title: string
  text: string
  /** The way to sign in and back. */
  href: string
  signIn: string
  /** For those who read the mail and know nothing of an account. */
  notYou: { title: string; text: string; more?: ReactNode }
}

export async function AskToSignIn({ title, text, href, signIn, notYou }: Props) {
  const { mail } = await currentMessages()
  const session = await currentSession()
  const other = session?.user.name ?? session?.user.email
  return (
    <div className="grid gap-8">
      <Heading title={title} text={text} />
      {other && <p className="text-muted">{fill(mail.otherAccount, { name: other })}</p>}
      <div>
        <LinkButton href={href}>{signIn}</LinkButton>
      </div>
      <Section title={notYou.title} text={notYou.text}>
        {notYou.more}
      </Section>
    </div>
  )
}

/** Whoever has the account open at this browser only chooses it. */
export async function wayToSignIn(userId: string, link: string, hint?: string): Promise<string> {
  const held = await heldSessions()
  if (held.some(({ user }) => user.id === userId)) return returningTo('/accounts', link)
  const login = returningTo('/login', link)
  return hint === undefined ? login : `${login}&login_hint=${encodeURIComponent(hint)}`
}
