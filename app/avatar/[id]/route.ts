import { openPicture } from '@/lib/accounts/avatar'
import { pictureResponse } from '@/lib/host/picture-response'
import { op } from '@/lib/op'

type Context = { params: Promise<{ id: string }> }

export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return pictureResponse(await openPicture(await op(), (await params).id))
}
