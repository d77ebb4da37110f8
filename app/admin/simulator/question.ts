import { CONTEXT_FIELDS } from '@/lib/admin/context-fields'

export const SIMULATOR_FIELDS = ['client', 'user', 'scope', 'resource', ...CONTEXT_FIELDS] as const

export type SimulatorQuestion = Partial<Record<(typeof SIMULATOR_FIELDS)[number], string>>
