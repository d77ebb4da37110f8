import { LinkButton } from '@/app/_ui/link-button'
import { Findings } from '@/app/admin/_overview/health'
import { health } from '@/lib/api/records/health'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { SetUpFrame } from '../frame'
import { ownerApi } from '../owner'

export const generateMetadata = pageTitle(({ firstRun }) => firstRun.check.title)

/** What has to be right before others can use the portal; the rest only if it is broken. */
const FIRST: ReadonlySet<string> = new Set(['issuer', 'mail', 'clock'])

export default async function CheckPage() {
  const api = await ownerApi()
  const { firstRun, admin } = await currentMessages()
  const { data } = await api.get(health, {})
  const findings = data.filter(({ check, state }) => FIRST.has(check) || state === 'fail')
  return (
    <SetUpFrame step="check" title={firstRun.check.title} intro={firstRun.check.intro}>
      <Findings findings={findings} admin={admin} narrow />
      <div>
        <LinkButton href="/setup/start">{firstRun.next}</LinkButton>
      </div>
    </SetUpFrame>
  )
}
