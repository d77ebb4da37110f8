/** Of the badge that says how a review stands. */
export const TONES = { open: 'good', closing: 'warn', closed: 'quiet', cancelled: 'quiet' } as const
