import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import type { Log } from '../base/log'
import { logConsole } from './console-log'

test('what is written to the console, and every warning, is a line of the log', () => {
  const lines: unknown[] = []
  const level = (name: string) => (fields: object, text: string) => lines.push([name, fields, text])
  const log = Object.fromEntries(
    ['debug', 'info', 'warn', 'error'].map((name) => [name, level(name)]),
  ) as unknown as Log
  const out = { ...console }
  const node = new EventEmitter()
  node.on('warning', () => lines.push('printed'))
  logConsole(log, out, node as NodeJS.Process)

  const err = new TypeError('fetch failed')
  out.error('failed to get redirect response', err)
  out.error(err)
  out.log('%s of %d', 'one', 2, { more: true })
  out.warn(' ⚠ careful\n')
  node.emit('warning', err)
  const from = 'console'
  expect(lines).toEqual([
    ['error', { from, err }, 'failed to get redirect response'],
    ['error', { from, err }, 'fetch failed'],
    ['info', { from }, 'one of 2 { more: true }'],
    ['warn', { from }, '⚠ careful'],
    ['warn', { err }, 'a warning of Node.js'],
  ])
})
