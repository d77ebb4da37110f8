'use client'

import { type ComponentProps, useState } from 'react'
import type { Choice } from '@/app/_ui/choices-found'
import { Combobox } from '@/app/_ui/combobox'
import { Field } from '@/app/_ui/field'
import { useField, useTyped } from './form'

type Props = ComponentProps<typeof Combobox>

/** A combobox as a field of an admin form. */
export function ChooseInput({ error, value, shown, ...rest }: Props) {
  const field = useField(rest.name, value)
  // Without script, the page that comes back shows what was typed.
  const typed = useTyped(rest.name)[0]
  const given = typed === undefined ? { value, shown } : { value: typed }
  const words = { ...rest, error: field.error ?? error }
  return (
    <Field words={words}>
      <Combobox {...words} {...given} />
    </Field>
  )
}

type SeveralProps = Omit<Props, 'value' | 'shown' | 'several'> & { chosen: readonly Choice[] }
type Kept = Choice & { kept: boolean }

/** Several of them: each is a check box, and the field adds one. */
export function ChooseSeveral({ chosen, error, ...rest }: SeveralProps) {
  const { name, words } = rest
  const field = useField(name, undefined)
  const typed = useTyped(name).filter((value) => value !== '')
  const first = typed.length === 0 ? chosen : typed.map((value) => known(value, chosen))
  const [items, setItems] = useState<readonly Kept[]>(
    first.map((choice) => ({ ...choice, kept: true })),
  )
  const set = (value: string, kept: boolean) =>
    setItems(items.map((item) => (item.value === value ? { ...item, kept } : item)))
  const add = (choice: Choice) => {
    const others = items.filter(({ value }) => value !== choice.value)
    setItems([...others, { ...choice, kept: true }])
  }
  const fieldWords = { ...rest, error: field.error ?? error }
  return (
    <Field words={fieldWords}>
      <Combobox {...fieldWords} onChoose={add} />
      {items.length > 0 && (
        <fieldset className="mt-1 grid gap-2">
          <legend className="sr-only">{`${words.chosen}: ${rest.label}`}</legend>
          <div className="flex flex-wrap gap-2">
            {items.map((item) => (
              <ChosenItem key={item.value} name={name} item={item} set={set} />
            ))}
          </div>
          <p className="text-muted text-small">{words.keep}</p>
        </fieldset>
      )}
    </Field>
  )
}

function known(value: string, chosen: readonly Choice[]): Choice {
  return chosen.find((choice) => choice.value === value) ?? { value, label: value }
}

type ItemProps = { name: string; item: Kept; set(value: string, kept: boolean): void }

function ChosenItem({ name, item: { value, label, hint, kept }, set }: ItemProps) {
  return (
    <label
      title={hint ?? undefined}
      className="flex min-h-9 min-w-0 items-center gap-2 rounded-control border border-line bg-raised px-3 py-1 text-small has-checked:border-edge has-checked:bg-wash"
    >
      <input
        type="checkbox"
        name={name}
        value={value}
        checked={kept}
        onChange={(event) => set(value, event.target.checked)}
        className="size-4 shrink-0"
      />
      <span className="min-w-0 [overflow-wrap:anywhere]">{label}</span>
    </label>
  )
}
