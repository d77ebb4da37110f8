import type { ReactNode } from 'react'
import { columnClass, mainClass } from './layout-classes'
import { Wordmark } from './wordmark'

type Props = { name?: string; children: ReactNode }

/** The page frame without anything that could fail again. */
export function FailureFrame({ name = 'Gatehouse', children }: Props) {
  return (
    <div className={`${columnClass} flex min-h-dvh flex-col`}>
      <header className="pt-5 sm:pt-8">
        <Wordmark label={name} name={name} />
      </header>
      <div className="grid flex-1">
        <main className={`${mainClass} grid max-w-[34rem] content-start gap-12`}>{children}</main>
      </div>
    </div>
  )
}
