// For containers: ends with 0 if the portal that runs beside it is ready, and with 1 if not.
const { PORT = '3000' } = process.env
const GIVE_UP_MS = 2_500

try {
  const answer = await fetch(`http://127.0.0.1:${PORT}/readyz`, {
    signal: AbortSignal.timeout(GIVE_UP_MS),
  })
  process.exitCode = answer.ok ? 0 : 1
} catch {
  process.exitCode = 1
}
