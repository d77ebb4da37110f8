import { CONDITION_EXAMPLES } from '@/lib/access/condition-examples'
import { currentMessages } from '@/lib/browser/locale'
import { ConditionInput } from './condition-input'

type Props = { name?: string; label?: string; hint?: string; defaultValue?: string | null }

/** Wherever a condition is typed: checked while typing, with examples and what it can read. */
export async function ConditionField({ name = 'condition', label, hint, defaultValue }: Props) {
  const { conditions: words } = (await currentMessages()).admin
  const examples = Object.entries(CONDITION_EXAMPLES) as [keyof typeof CONDITION_EXAMPLES, string][]
  return (
    <ConditionInput
      name={name}
      label={label ?? words.label}
      hint={hint ?? words.hint}
      defaultValue={defaultValue ?? ''}
      words={words}
      examples={examples.map(([key, source]) => ({ name: words.examples[key], source }))}
    />
  )
}
