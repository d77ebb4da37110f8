import { currentMessages } from '@/lib/browser/locale'
import { mailMode } from '@/lib/delivery/mail/mode'
import { op } from '@/lib/op'

/** Tells whoever builds with the portal where the mail went. */
export async function PrintedMail() {
  if (mailMode(await op()) !== 'printed') return null
  const { mail } = await currentMessages()
  return <p className="border-s-2 border-accent ps-4 text-muted">{mail.printed}</p>
}
