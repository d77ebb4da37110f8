import { readFileSync } from 'node:fs'
import { digestOf } from '../api/reviews/evidence'
import type { Op } from '../context/op'
import { findSeal } from '../store/reviews/reviews'

/** Whether a file is the evidence of an access review, byte for byte, as the audit log has it. */
export async function sealOf(op: Op, file: string): Promise<string> {
  const digest = digestOf(readFileSync(file))
  const seal = await op.read((db) => findSeal(db, digest))
  if (!seal) throw new Error(`${file} is not the evidence of any review in the audit log`)
  const { seq, review, at } = seal
  return `${file} is the evidence of the review ${review}, closed at ${at.toISOString()}: entry ${seq}`
}
