// A bare route of Next.js that does what the floor does: a form read, a JWT signed, JSON answered.
import { generateKeyPair } from 'jose'
import { tokenFor } from '../../../floor-token.mjs'

const { privateKey } = await generateKeyPair('ES256')

export async function GET() {
  return Response.json({ ready: true })
}

export async function POST(request) {
  const form = new URLSearchParams(await request.text())
  return Response.json(await tokenFor(form, privateKey))
}
