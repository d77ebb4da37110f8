import { afterAll, beforeAll } from 'vitest'
import type { OpenOp } from '../../lib/op'
import type { Demo } from '../../lib/operations/demo'
import type { Answer, Fields } from './ask'
import { aliceAtWeb, authorizeUrl, exchange, getCode, received, webRequest } from './flow'
import { type OpenPortal, openPortal } from './in-process'
import type { OldBrowser } from './old-browser'

/** What the tests of whole flows share: a portal, its store, and a browser in which Alice signed in. */

export let portal: OpenPortal
export let demo: Demo
export let op: OpenOp
export let alice: OldBrowser

export function startFlows(): void {
  beforeAll(async () => {
    portal = await openPortal()
    demo = portal.demo()
    op = portal.op
    alice = await aliceAtWeb(portal)
  })

  afterAll(() => portal.stop())
}

export const ORDERS = 'https://orders.gatehouse.example'
export const STOCK = 'https://stock.gatehouse.example'

export const json = (answer: Answer) => JSON.parse(answer.body)
export const web = (more: Fields = {}) => webRequest(demo, more)
export const answerTo = async (more: Fields | string, browser = alice) =>
  received(await browser.open(authorizeUrl(typeof more === 'string' ? more : web(more))))
export const tokensFor = async (more: Fields) =>
  json(await exchange(portal, await getCode(alice, web(more))))
export const [aliceLogin, bobLogin] = [() => login(0), () => login(1)]

export function login(index: number) {
  const user = demo.users[index]
  if (!user) throw new Error('the demo has two users')
  return user
}

export function without(name: string): string {
  const { [name]: _gone, ...rest } = web()
  return new URLSearchParams(rest).toString()
}
