export type Op = { issuer: string }

export async function op(): Promise<Op> {
  return { issuer: process.env.ISSUER ?? 'http://localhost:3000' }
}
