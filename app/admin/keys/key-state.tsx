import type { SigningKeyWire } from '@/lib/api/settings/signing-keys'
import { currentMessages } from '@/lib/browser/locale'
import { StateBadge } from '../_ui/state-badge'

const TONES = {
  staged: 'quiet',
  active: 'good',
  retiring: 'quiet',
  removed: 'quiet',
  revoked: 'bad',
} as const

export async function KeyState({ state }: Pick<SigningKeyWire, 'state'>) {
  const { states } = (await currentMessages()).admin.keys
  return <StateBadge tone={TONES[state]}>{states[state]}</StateBadge>
}
