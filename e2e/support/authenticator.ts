import type { CDPSession, Page } from '@playwright/test'

/** An authenticator inside the browser that unlocks itself: what a fingerprint reader would do. */
export type Authenticator = {
  /** Answers by itself from now on, or waits for somebody who never comes. */
  present(isPresent: boolean): Promise<void>
  count(): Promise<number>
  /** How often it has signed so far. */
  assertions(): number
  remove(): Promise<void>
}

export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  let assertions = 0
  cdp.on('WebAuthn.credentialAsserted', () => {
    assertions += 1
  })
  return {
    assertions: () => assertions,
    async present(enabled) {
      await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
    async count() {
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.length
    },
    async remove() {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    },
  }
}
