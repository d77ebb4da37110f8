import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import './style.css'

export const metadata: Metadata = { title: 'Relying party' }
export const viewport: Viewport = { colorScheme: 'light dark' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <main>{children}</main>
      </body>
    </html>
  )
}
