import type { ReactNode } from 'react'
import { columnClass, mainClass } from './layout-classes'
import { Wordmark } from './wordmark'

/** The page frame without anything that could fail again. */
export function FailureFrame({ children }: { children: ReactNode }) {
  return (
    <div className={`${columnClass} flex min-h-dvh flex-col`}>
      <header className="pt-5 sm:pt-8">
        <Wordmark label="Gatehouse" name="Gatehouse" />
      </header>
      <div className="grid flex-1">
        <main className={`${mainClass} grid max-w-[34rem] content-start gap-12`}>{children}</main>
      </div>
    </div>
  )
}
