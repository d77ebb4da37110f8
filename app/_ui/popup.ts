import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** What opens below a field must be in nobody's way. */

const GAP = 8

/**
 * Where the open list (`data-popup`) would cover a button of the form, the field makes room for it.
 * The room only grows while the list is open, so that nothing jumps at every letter.
 */
export function useRoomBelow(open: boolean, shown: string): RefObject<HTMLDivElement | null> {
  const field = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is shown decides how tall the list is
  useLayoutEffect(() => {
    const { current: element } = field
    const list = open && element?.querySelector('[data-popup]:not([hidden])')
    if (!element) return
    if (!open) element.style.marginBlockEnd = ''
    if (!list) return
    const given = Number.parseFloat(element.style.marginBlockEnd) || 0
    if (given === 0 && !coversButton(list)) return
    const height = list.getBoundingClientRect().bottom - element.getBoundingClientRect().bottom
    element.style.marginBlockEnd = `${Math.max(given, Math.ceil(height) + GAP)}px`
  }, [open, shown])
  return field
}

function coversButton(list: Element): boolean {
  const buttons = list.closest('form')?.querySelectorAll('button') ?? []
  const box = list.getBoundingClientRect()
  return [...buttons].some((button) => {
    const { top, bottom, left, right } = button.getBoundingClientRect()
    return top < box.bottom && bottom > box.top && left < box.right && right > box.left
  })
}

/**
 * The list closes when the focus leaves the field. If a press took the focus away, it closes once
 * the press is over: until then nothing moves, and the click reaches what was pressed.
 */
export function useLeaving(
  input: RefObject<HTMLInputElement | null>,
  open: boolean,
  close: () => void,
): () => void {
  const pressed = useRef(false)
  const closing = useRef(close)
  useEffect(() => {
    closing.current = close
  })
  useEffect(() => {
    if (!open) return
    const press = () => {
      pressed.current = true
    }
    const release = () =>
      setTimeout(() => {
        pressed.current = false
        if (document.activeElement !== input.current) closing.current()
      })
    window.addEventListener('mousedown', press, true)
    window.addEventListener('mouseup', release, true)
    return () => {
      pressed.current = false
      window.removeEventListener('mousedown', press, true)
      window.removeEventListener('mouseup', release, true)
    }
  }, [open, input])
  return () => {
    if (!pressed.current) close()
  }
}
