import { z } from 'zod'
import { idSchema } from '../http/schemas'

/** Who decides, who reviews, and who may open something in an emergency. */

const role = z.strictObject({ type: z.literal('role'), id: idSchema.describe('ID of a role') })
const group = z.strictObject({ type: z.literal('group'), id: idSchema.describe('ID of a group') })
const user = z.strictObject({ type: z.literal('user'), id: idSchema.describe('ID of a user') })

export const approverSchema = z.discriminatedUnion('type', [
  role,
  group,
  user,
  z.strictObject({ type: z.literal('api_owners') }),
  z.strictObject({
    type: z.literal('manager'),
    attribute: idSchema.describe('The attribute of the asker that names a user'),
  }),
])

/** Named beforehand: not by an attribute, and not by what they own. */
export const personSchema = z.discriminatedUnion('type', [role, group, user])

export const approverWire = z.object({
  type: z.enum(['role', 'group', 'user', 'api_owners', 'manager']),
  id: z.string().optional(),
  attribute: z.string().optional(),
})
export type ApproverWire = z.infer<typeof approverWire>
