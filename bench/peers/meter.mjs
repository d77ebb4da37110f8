// Loaded before a server that is measured; asked over the channel to its parent what it has used so
// far, how long its event loop stood still since it was last asked, and where its time goes.
import { Session } from 'node:inspector'
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'

const MAJOR = 4 // perf_hooks.constants.NODE_PERFORMANCE_GC_MAJOR
const RESOLUTION_MS = 1

let delays = null
let busiestMs = 0
let lookedAt = null
let collections = null
let profiler = null

/** Only from the first question on: watching costs CPU, which nobody else is asked to pay. */
function watch() {
  delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  collections = { major: 0, longestMs: 0 }
  lookedAt = process.cpuUsage()
  setInterval(noteBusy, RESOLUTION_MS).unref()
  const observer = new PerformanceObserver((list) => {
    for (const { duration, detail } of list.getEntries()) {
      if (detail.kind === MAJOR) collections.major += 1
      collections.longestMs = Math.max(collections.longestMs, duration)
    }
  })
  observer.observe({ entryTypes: ['gc'] })
}

/** By the CPU that was used between two looks: programs beside it, and waiting for a disk, are not in it. */
function noteBusy() {
  const { user, system } = process.cpuUsage(lookedAt)
  lookedAt = process.cpuUsage()
  busiestMs = Math.max(busiestMs, (user + system) / 1000)
}

function standstills() {
  if (!delays) watch()
  const ms = (nanos) => Math.max(0, nanos / 1e6 - RESOLUTION_MS)
  const told = {
    stood: {
      p99: ms(delays.percentile(99)),
      p999: ms(delays.percentile(99.9)),
      most: ms(delays.max),
    },
    busiestMs,
    collections: { ...collections },
  }
  busiestMs = 0
  delays.reset()
  Object.assign(collections, { major: 0, longestMs: 0 })
  return told
}

function startProfile() {
  profiler = new Session()
  profiler.connect()
  profiler.post('Profiler.enable')
  profiler.post('Profiler.setSamplingInterval', { interval: 200 })
  profiler.post('Profiler.start')
}

const answers = {
  usage() {
    const { user, system } = process.cpuUsage()
    process.send({ cpuMs: (user + system) / 1000, rssMb: process.memoryUsage.rss() / 1e6 })
  },
  standstills: () => process.send(standstills()),
  profile() {
    startProfile()
    process.send({ profiling: true })
  },
  profiled: () =>
    profiler.post('Profiler.stop', (_error, { profile }) => process.send({ profile })),
}

process.on('message', (asked) => answers[asked]?.())
process.channel.unref()
