'use client'

import type { ChangeEvent } from 'react'

/** Checks every row of the page, or none. */
export function SelectAll({ label }: { label: string }) {
  const set = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const boxes = target.form?.querySelectorAll<HTMLInputElement>('input[name=id]') ?? []
    for (const box of boxes) box.checked = target.checked
  }
  return (
    <label className="needs-script flex size-11 cursor-pointer items-center justify-center">
      <input type="checkbox" aria-label={label} onChange={set} className="size-5" />
    </label>
  )
}
