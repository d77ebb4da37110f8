import { expect, test } from 'vitest'
import { OWN, runtimesIn } from './runtime'

test('without an option servers run on the Node.js of the bench, under their usual names', () => {
  expect(runtimesIn(['--quick', '--only=token'])).toEqual([OWN])
  expect(OWN).toEqual({ node: process.execPath, suffix: '' })
})

test('what runs on another Node.js has its version in its name', () => {
  const [, other] = runtimesIn([`--node=${process.execPath}`])
  expect(other).toEqual({ node: process.execPath, suffix: `, Node ${process.versions.node}` })
})

test('a path that is no Node.js is refused before anything is measured', () => {
  expect(() => runtimesIn(['--node=/no/such/node'])).toThrow('ENOENT')
})
