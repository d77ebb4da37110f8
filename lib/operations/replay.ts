import { parseArgs } from 'node:util'
import { readConfiguration } from '../api/configuration/file'
import { theOperator } from '../api/configuration/operator'
import { ConfigurationError } from '../api/configuration/schema'
import { type ReplayWire, replayPart } from '../api/replay/routes'
import { addReplays, type FlipLine, type ReplaySum } from '../api/replay/sum'
import type { Op } from '../context/op'

/** `npm run apply -- --replay 30d portal.json`: what the file would have changed, for a pipeline. */

type ReplayArguments = {
  days: number
  mostFlips: number
  /** Undefined for any number. */
  mostUntold: number | undefined
}
type ApplyArguments = { file: string; dryRun: boolean; replay: ReplayArguments | null }

const USAGE =
  'npm run apply -- portal.json [--dry-run] [--replay 30d [--most-flips 0] [--most-untold 0]]'
const LISTED = 20

export function applyArguments(args: string[]): ApplyArguments {
  const { values, positionals } = parsed(args)
  const [file] = positionals
  if (!file) throw new ConfigurationError(`the name of the file is missing: ${USAGE}`)
  const { 'dry-run': dryRun = false, replay, 'most-untold': untold } = values
  if (replay === undefined) return { file, dryRun, replay: null }
  const mostFlips = countIn('most-flips', values['most-flips'] ?? '0')
  const mostUntold = untold === undefined ? undefined : countIn('most-untold', untold)
  return { file, dryRun, replay: { days: daysIn(replay), mostFlips, mostUntold } }
}

function parsed(args: string[]) {
  try {
    const options = {
      'dry-run': { type: 'boolean' },
      replay: { type: 'string' },
      'most-flips': { type: 'string' },
      'most-untold': { type: 'string' },
    } as const
    return parseArgs({ args, options, allowPositionals: true })
  } catch {
    throw new ConfigurationError(`the options are: ${USAGE}`)
  }
}

function daysIn(text: string): number {
  const days = Number(/^(\d{1,3})d?$/.exec(text)?.[1])
  if (days >= 1 && days <= 365) return days
  throw new ConfigurationError('--replay takes a number of days from 1d to 365d')
}

function countIn(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new ConfigurationError(`--${option} takes a number`)
}

/** It failed if more would flip than is allowed, or if too little can be told to know. */
export async function replayReport(op: Op, file: string, wanted: ReplayArguments) {
  const sum = await replayAll(op, file, wanted.days)
  const failures = failuresOf(sum, wanted)
  return { lines: [...replayLines(sum, wanted.days), ...failures], failed: failures.length > 0 }
}

export function failuresOf(
  { scopes, toAllowed, toRefused, untold }: ReplaySum,
  { mostFlips, mostUntold }: ReplayArguments,
): string[] {
  const unknown = untold.reduce((sum, { times }) => sum + times, 0)
  return [
    ...(scopes === 0 ? ['no decision can be told: nothing is known about this file'] : []),
    ...(toAllowed + toRefused > mostFlips
      ? [`more than ${mostFlips} would flip (--most-flips)`]
      : []),
    ...(unknown > (mostUntold ?? unknown)
      ? [`more than ${mostUntold} cannot be told (--most-untold)`]
      : []),
  ]
}

async function replayAll(op: Op, file: string, days: number): Promise<ReplayWire> {
  const draft = { changes: [], file: readConfiguration(file), days }
  const by = { ...theOperator(), env: process.env }
  let sum = await replayPart(op, draft, by)
  while (sum.next !== null)
    sum = addReplays(sum, await replayPart(op, { ...draft, after: sum.next }, by))
  return sum
}

export function replayLines(sum: ReplaySum, days: number): string[] {
  const listed = sum.flips.slice(0, LISTED)
  const shown = listed.reduce((all, { times }) => all + times, 0)
  const rest = sum.toAllowed + sum.toRefused - shown
  return [
    `replayed ${sum.decisions} decisions of the last ${days} days, ${sum.scopes} scopes`,
    `${sum.toAllowed} would be allowed, ${sum.toRefused} would be refused, ${sum.same} stay as they are`,
    ...listed.map(flipLine),
    ...(rest > 0 ? [`... and ${rest} more`] : []),
    ...sum.untold.map(({ reason, times }) => `cannot be told: ${times} (${reason})`),
    ...(sum.changedSince > 0
      ? [`${sum.changedSince} differ from then already without the file`]
      : []),
    ...(sum.policyChanged ? ['the policy was changed meanwhile: replay again to be sure'] : []),
  ]
}

function flipLine({ to, scope, subject, application, times }: FlipLine): string {
  const sign = to === 'allowed' ? '+' : '-'
  const who = subject.name ?? subject.id
  const where = application.name ?? application.id
  return `${sign} ${scope}: ${who} at ${where}, ${times} ${times === 1 ? 'time' : 'times'}`
}
