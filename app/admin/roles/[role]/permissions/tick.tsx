'use client'

import { useTyped } from '../../../_ui/form'

/** A box before a line that says itself what it is. */
export function Tick({ value, label }: { value: string; label: string }) {
  const checked = useTyped('take').includes(value)
  return (
    <input
      key={String(checked)}
      type="checkbox"
      name="take"
      value={value}
      defaultChecked={checked}
      aria-label={label}
      className="mt-1 size-5 shrink-0"
    />
  )
}
