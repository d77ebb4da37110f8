import type { Ask, Visit } from './load'
import type { PageName } from './page-rows'
import type { Journey } from './sign-in'

/** How each work is asked of one kind of server; what a server cannot do is absent. */
export type Dialect = {
  token(at: number): Ask
  introspection?(at: number, token: string): Ask
  /** A token that the server has never seen; without this, each that it issued is asked about once. */
  minted?(at: number): Promise<string>
  /** For servers whose introspection cannot read what `token` gives. */
  introspectable?: Ask
  jwks?: Ask
  discovery?: Ask
  authorize?(at: number): Ask
  exchange?(code: string): Ask
  refresh?(token: string): Ask
  checkToken?: Ask
  check?(at: number, token: string): Ask
  /** A page for somebody who is signed in as an owner. One that redirects leads to the page. */
  page?(name: PageName): Ask
  /** How somebody signs in for the first time. */
  journey?: Journey
  /** A password, compared. */
  verify?: Visit
  /** The smallest page that the framework can make. */
  barePage?: Ask
  /** What the floor does whatever is asked: the measure that others are held against. */
  floor?: Ask
}
