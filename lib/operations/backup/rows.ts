import type { Row } from '../../store/database/tables'

/**
 * A row as JSON. Values that JSON cannot express are objects with one member: `date`
 * (milliseconds), `big`, `bytes`, and `json` for an object or a list in a column.
 */

export function writeRow(row: Row): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column, toWire(value)])),
  )
}

export function readRow(wire: Record<string, unknown>): Row {
  return Object.fromEntries(
    Object.entries(wire).map(([column, value]) => [column, fromWire(value)]),
  )
}

function toWire(value: unknown): unknown {
  if (value instanceof Date) return { date: value.getTime() }
  if (typeof value === 'bigint') return { big: String(value) }
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') }
  return typeof value === 'object' && value !== null ? { json: value } : value
}

type Wire = { date: number } | { big: string } | { bytes: string } | { json: unknown }

function fromWire(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const wire = value as Wire
  if ('date' in wire) return new Date(wire.date)
  if ('big' in wire) return BigInt(wire.big)
  if ('bytes' in wire) return new Uint8Array(Buffer.from(wire.bytes, 'base64'))
  return wire.json
}
