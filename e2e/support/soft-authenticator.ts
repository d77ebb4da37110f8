import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A passkey in software, so that a test can lie about everything that a real one would not. */

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_KEY = 0x40

type Ceremony = {
  challenge: string
  origin: string
  rpId: string
  verified?: boolean
  counter?: number
  type?: string
  userHandle?: string
}

export class SoftAuthenticator {
  readonly id = randomBytes(24).toString('base64url')
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  /** What `navigator.credentials.create` would give, as JSON. */
  create(ceremony: Ceremony): string {
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.from([id.length >> 8, id.length & 0xff])
    const key = Buffer.concat([Buffer.alloc(16), length, id, this.#publicKey()])
    const authData = Buffer.concat([head(ceremony, HAS_KEY), key])
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]), // a map of three, in CBOR
      ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0])],
      ...[text('authData'), bytes(authData)],
    ])
    const clientDataJSON = clientData({ type: 'webauthn.create', ...ceremony })
    return this.#json({ clientDataJSON, attestationObject: base64(attestationObject) })
  }

  /** What `navigator.credentials.get` would give, as JSON. */
  get(ceremony: Ceremony): string {
    const authenticatorData = head(ceremony, 0)
    const clientDataJSON = clientData({ type: 'webauthn.get', ...ceremony })
    const digest = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    const signed = Buffer.concat([authenticatorData, digest])
    const { userHandle } = ceremony
    return this.#json({
      clientDataJSON,
      authenticatorData: base64(authenticatorData),
      signature: base64(sign('sha256', signed, this.#keys.privateKey)),
      ...(userHandle !== undefined && { userHandle }),
    })
  }

  #json(response: Record<string, string>): string {
    return JSON.stringify({ id: this.id, rawId: this.id, type: 'public-key', response })
  }

  /** COSE, EC2, ES256, P-256 (RFC 9053 §7.1.1) */
  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01])
    const [atX, atY] = [Buffer.from([0x21]), Buffer.from([0x22])]
    const point = [atX, bytes(Buffer.from(x, 'base64url')), atY, bytes(Buffer.from(y, 'base64url'))]
    return Buffer.concat([head, ...point])
  }
}

function head({ rpId, verified = true, counter = 0 }: Ceremony, more: number): Buffer {
  const flags = PRESENT | (verified ? VERIFIED : 0) | more
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count])
}

function clientData({ type, challenge, origin }: Ceremony): string {
  return base64(Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })))
}

function base64(data: Buffer): string {
  return data.toString('base64url')
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
}

function bytes(value: Buffer): Buffer {
  const { length } = value
  const size = length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(size), value])
}
