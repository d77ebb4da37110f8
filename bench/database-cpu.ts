import { readdirSync, readFileSync } from 'node:fs'

/**
 * The CPU time that a PostgreSQL has used so far: its main process, every process that it runs now,
 * and those that have ended. Linux only.
 */
export function databaseCpuMs(mainPid: number): number {
  const main = statOf(mainPid)
  if (!main) throw new Error('the CPU time of a process is read from /proc')
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat !== null && stat.parent === mainPid)
  const ticks = running.reduce((sum, stat) => sum + (stat?.own ?? 0), main.own + main.ended)
  return (ticks * 1_000) / TICKS_PER_SECOND
}

/** USER_HZ, which is 100 on every Linux that Node.js runs on. */
const TICKS_PER_SECOND = 100

type Stat = { parent: number; own: number; ended: number }

/** Null if the process has ended meanwhile. See proc(5). */
function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program, in parentheses, may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [parent, utime, stime, cutime, cstime] = [1, 11, 12, 13, 14].map((at) =>
      Number(fields[at]),
    )
    return {
      parent: parent ?? 0,
      own: (utime ?? 0) + (stime ?? 0),
      ended: (cutime ?? 0) + (cstime ?? 0),
    }
  } catch {
    return null
  }
}
