import { OCCASION_FIELDS } from '@/lib/admin/occasion'

export const SIMULATOR_FIELDS = ['client', 'user', 'scope', 'resource', ...OCCASION_FIELDS] as const

export type SimulatorQuestion = Partial<Record<(typeof SIMULATOR_FIELDS)[number], string>>
