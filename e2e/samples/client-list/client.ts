import type { ClientName } from '../../../lib/quick-start/client-settings'
import type { Kind } from '../registered'
import type { RuntimeName } from '../runtimes'

/** A client that nobody here wrote, and how it is tried: at first with no special settings. */

type Fields = Readonly<Record<string, unknown>>

export type Try = {
  /** In words for the table; null: no special settings. */
  with: string | null
  env?: Record<string, string>
  /** What an admin changes in the application that signs in or calls. */
  application?: Fields
  /** What an admin changes in the API that is called. */
  api?: Fields
  /** What an admin changes in the settings of the portal. */
  portal?: Fields
}

export const ALICE = {
  sub: 'usr_demo_alice',
  name: 'Alice Clerk',
  email: 'alice@gatehouse.example',
  groups: 'night-shift',
} as const

export type Client = {
  name: string
  /** Where its package has another name. */
  package?: string
  does: string
  on: RuntimeName
  install: string
  /** Files of e2e/samples/clients: their names there, and in the folder where they run. */
  files: Readonly<Record<string, string>>
  /** Words that are put into the files. */
  words?: Readonly<Record<string, string>>
  run: string
  walk: 'browser' | 'prompt' | 'native' | 'agent' | 'machine' | 'check' | 'api'
  /** The type of the application; web, unless told. */
  kind?: Kind
  /** The path of the redirect URI. */
  callback?: string
  /** The path where a browser begins. */
  open?: string
  /** What it must show of Alice; her name and her email address, unless told. */
  knows?: readonly (keyof typeof ALICE)[]
  /** Its row among those that say how a client uses PKCE. */
  pkce?: ClientName
  /** It has no client ID: nobody made an application for it. */
  registersItself?: true
  tries: readonly Try[]
}

export const STOCK: Try = { with: null }
/** The only try of most. */
export const AS_IT_IS = [STOCK] as const
