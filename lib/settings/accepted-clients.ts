import { onceFor } from '../base/once-for'
import type { Credential } from '../oidc/client'
import type { Snapshot } from '../oidc/provider'
import type { SettingsRow } from '../store/delivery/settings'
import { acceptsDocument, type ClientRegistration } from './client-registration'
import type { Settings } from './effective'

/**
 * A client whose metadata document the settings do not accept any more counts as disabled, whoever
 * asks: it signs nobody in, and its tokens and refresh tokens are refused. If it is accepted again,
 * it can be used again.
 */

type WithSettings = Pick<Snapshot, 'credentials'> & { settings: SettingsRow | null }

/** Made once for each snapshot, of which there is one for each client and change. */
export function acceptedClients<S extends WithSettings>(
  settingsOf: (row: SettingsRow | null) => Settings,
): (snapshot: S) => S {
  return onceFor((snapshot: S) => {
    const { clientRegistration } = settingsOf(snapshot.settings)
    const { credentials } = snapshot
    const get = (id: string) => {
      const credential = credentials.get(id)
      if (!credential || isAccepted(clientRegistration, credential)) return credential
      return { ...credential, application: { ...credential.application, enabled: false } }
    }
    return { ...snapshot, credentials: { get } }
  })
}

function isAccepted(settings: ClientRegistration, { application }: Credential): boolean {
  if (application.registration !== 'metadata_document') return true
  return URL.canParse(application.id) && acceptsDocument(settings, new URL(application.id))
}
