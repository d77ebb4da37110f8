import { openLogo } from '@/lib/browser/application-face'
import { pictureResponse } from '@/lib/host/picture-response'
import { op } from '@/lib/op'

type Context = { params: Promise<{ id: string }> }

export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return pictureResponse(await openLogo(await op(), (await params).id))
}
