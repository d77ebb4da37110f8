import { deviceName } from '@/app/_ui/device-name'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { listOwnDevices } from '@/lib/accounts/own-devices'
import { deviceOf } from '@/lib/base/device'
import { currentClock } from '@/lib/browser/clock'
import { currentMessages } from '@/lib/browser/locale'
import type { Session } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { written } from '@/lib/i18n/moments'
import { op } from '@/lib/op'
import { distrust } from './actions'

export async function TrustedDevices({ session }: { session: Session }) {
  const { devices: words, account } = await currentMessages()
  const trusted = await listOwnDevices(await op(), session)
  if (trusted.length === 0) return null
  const clock = await currentClock()
  return (
    <Section title={words.title} text={words.text}>
      <ul className="grid divide-y divide-line border-line border-y">
        {trusted.map(({ id, userAgent, expiresAt }) => {
          const device = deviceName(deviceOf(userAgent), account.sessions)
          return (
            <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <span className="grid">
                <span className="font-medium">{device}</span>
                <span className="text-muted text-small">
                  {fill(words.until, { date: written(expiresAt, 'longDay', clock) })}
                </span>
              </span>
              <form action={distrust}>
                <input type="hidden" name="id" value={id} />
                <QuietSubmit
                  label={words.remove}
                  busyLabel={words.removing}
                  name={fill(words.removeNamed, { device })}
                />
              </form>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
