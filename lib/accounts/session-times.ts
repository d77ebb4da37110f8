export const SESSION_IDLE_MS = 8 * 60 * 60 * 1000
export const SESSION_MS = 30 * 24 * 60 * 60 * 1000
