import { Button } from '@/app/_ui/button'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { Progress, percentOf } from '../../_ui/progress'
import type { PartState } from './use-parts'

type Props = {
  sum: { progress: number; decisions: number }
  state: PartState
  stop(): void
  words: Messages['admin']['access']['replay']
}

/** How far the replay has come, and why it is not complete. */
export function Running({ sum, state, stop, words }: Props) {
  if (state === 'done') return null
  if (state !== 'running') return <p className="font-medium">{words[state]}</p>
  const count = String(sum.decisions)
  const text = fill(words.soFar, { percent: percentOf(sum.progress), count })
  return (
    <Progress done={sum.progress} label={words.running} text={text}>
      <Button tone="quiet" onClick={stop}>
        {words.stop}
      </Button>
    </Progress>
  )
}
