// Within the portal that is measured: on SIGUSR2 collects all garbage, and writes down what is left.
import { renameSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')
const file = `${process.env.HEAP_FILE}.${process.pid}`

process.on('SIGUSR2', () => {
  collectGarbage()
  writeFileSync(`${file}.new`, String(process.memoryUsage().heapUsed))
  renameSync(`${file}.new`, file)
})
