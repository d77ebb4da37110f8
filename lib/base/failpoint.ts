/**
 * Places at which a test can kill the process, to check what is left: GATEHOUSE_FAILPOINT names
 * one. Production refuses to start with it (config.ts). If it is unset, this function does nothing.
 */

export const FAILPOINTS = [
  'code:spent',
  'code:granted',
  'code:exchanged',
  'refresh:spent',
  'refresh:succeeded',
  'refresh:rotated',
  'consent:said',
  'consent:saved',
  'consent:committed',
  'key:staged',
  'key:unslotted',
  'key:retired',
  'key:promoted',
  'key:rotated',
  'migration:locked',
  'migration:script',
  'migration:uncommitted',
  'migration:committed',
  'migration:applied',
  'logout:ended',
  'logout:told',
  'logout:committed',
  'outbox:claimed',
  'outbox:sent',
  'approval:voted',
  'approval:given',
  'approval:committed',
  'emergency:opened',
  'review:applied',
] as const

export type Failpoint = (typeof FAILPOINTS)[number]

const armed = process.env.GATEHOUSE_FAILPOINT

export const failpoint: (name: Failpoint) => void = armed ? killAt : () => {}

function killAt(name: Failpoint): void {
  if (name === armed) process.kill(process.pid, 'SIGKILL')
}
