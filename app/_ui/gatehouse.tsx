/// <reference types="next/image-types/global" />
import open from './gatehouse-open.svg'
import shut from './gatehouse-shut.svg'

type Props = { open: boolean; className: string }

/**
 * The drawing that stands on the footer's line. Decoration: it says nothing the words do not. A file
 * that the browser keeps; its colours are those of the page, which a drawing that is used inherits.
 */
export function Gatehouse({ open: isOpen, className }: Props) {
  const { src } = isOpen ? open : shut
  return (
    <svg viewBox="0 0 560 520" className={className} aria-hidden="true">
      <use href={`${src}#drawing`} />
    </svg>
  )
}
