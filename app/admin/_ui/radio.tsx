'use client'

import { useTyped } from './form'

type Props = { name: string; value: string; label: string; hint?: string }

/** One of several with the same name. */
export function Radio({ name, value, label, hint }: Props) {
  const checked = useTyped(name).includes(value)
  const id = `${name}-${value}`
  return (
    <div className="flex gap-3">
      <input
        key={String(checked)}
        type="radio"
        id={id}
        name={name}
        value={value}
        defaultChecked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-1 size-5 shrink-0"
      />
      <div className="grid min-w-0">
        <label htmlFor={id} className="font-medium [overflow-wrap:anywhere]">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-muted text-small [overflow-wrap:anywhere]">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
