import { QueryCompiler as Compiler } from '../../../node_modules/@prisma/client/runtime/query_compiler_small_bg.sqlite.mjs'
import { sharedCompiler } from './shared.mjs'

export * from '../../../node_modules/@prisma/client/runtime/query_compiler_small_bg.sqlite.mjs'
export const QueryCompiler = sharedCompiler(Compiler)
