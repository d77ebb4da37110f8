import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const APP = fileURLToPath(new URL('../../app', import.meta.url))

/** The address of every page of the app, with its parameters in brackets: `/admin/users/[user]`. */
export function pageTree(): string[] {
  return readdirSync(APP, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)page\.tsx$/.test(file))
    .map((file) => `/${file}`.replace(/\/page\.tsx$/, '').replaceAll(/\/\([^)]+\)/g, '') || '/')
    .sort()
}

/** Puts something real in the place of each parameter. */
export function filledPath(path: string, named: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, (_whole, name: string) => {
    const value = named[name]
    if (value === undefined) throw new Error(`say what [${name}] is`)
    return encodeURIComponent(value)
  })
}
