import { english } from '../translation'

export const keys = english({
  title: 'Signing keys',
  intro:
    'Every token is signed with one of these keys. Keys are replaced automatically. You need to act only in an emergency.',
  algorithms: {
    ES256: 'ES256 signs access tokens, unless an API or an application asks for RS256.',
    RS256: 'RS256 signs ID tokens, because every application can verify it.',
  },
  states: {
    staged: 'Published',
    active: 'Signing',
    retiring: 'Retiring',
    removed: 'Removed',
    revoked: 'Revoked',
  },
  schedule: {
    next: 'The next key is published automatically on {date}. It starts to sign {minutes} minutes later.',
    staged:
      'The next key is published. It starts to sign on {date}, so applications have time to fetch it.',
    none: 'A key is created when it is needed.',
  },
  timeline: '{alg}: timeline of keys',
  published: 'published',
  signs: 'signs',
  retires: 'verifies only',
  planned: 'planned',
  now: 'now',
  table: {
    key: 'Key',
    state: 'State',
    signsFrom: 'Signs from (UTC)',
    signsUntil: 'Signs until (UTC)',
    removed: 'Published until (UTC)',
    age: 'Signing for',
    days: { one: '{count} day', other: '{count} days' },
    today: 'less than a day',
  },
  stage: 'Publish the next key now',
  staging: 'Publishing…',
  stageText:
    'Creates a key and publishes it. It starts to sign ten minutes later. Nothing is interrupted.',
  rotate: 'Sign with it now',
  rotating: 'Changing keys…',
  rotateEarly: 'Sign with it early…',
  rotateEarlyText:
    'The new key was published only recently. Applications that have not fetched it yet will refuse new tokens for up to five minutes.',
  rotateText: 'The new key has been published long enough. Nothing is interrupted.',
  one: {
    title: 'Key {kid}',
    facts: 'Key details',
    id: 'Key ID',
    algorithm: 'Algorithm',
    state: 'State',
    created: 'Created',
    signsFrom: 'Signs from',
    signsUntil: 'Signs until',
    removed: 'Published until',
  },
  revoke: {
    title: 'Revoke this key',
    summary: 'Revoke in an emergency…',
    text: 'Do this if somebody else may have the private key. It takes effect at once and can’t be undone.',
    warns: 'This key is signing right now.',
    gone: 'This key is revoked. Everything that it signed is rejected.',
    whatHappens: 'What happens when you revoke it',
    consequences: {
      tokens_disbelieved:
        'Tokens that it signed are rejected at once. At most {tokens} were issued in the last day.',
      apps_get_errors:
        'Applications with such tokens get errors until they request new ones. Services that cache our public keys may accept old tokens for up to five minutes.',
      people_stay_signed_in: 'Users stay signed in to this portal.',
      refresh_goes_on: 'Refresh tokens still work, because this key does not sign them.',
      new_key_at_once: 'A new key is created and signs at once.',
      staged_key_takes_over: 'The key that is already published starts to sign at once.',
      key_not_seen_yet:
        'Some applications have not fetched the new key yet. They may refuse new tokens for up to five minutes.',
      nothing_alive: 'It signed nothing that is still valid. Nothing is interrupted.',
    },
    applications: 'Affected applications',
    type: 'To confirm, enter {kid}, the first eight characters of the key ID',
    wrong: 'The characters do not match. Enter the first eight characters exactly as shown.',
    submit: 'Revoke this key',
    busy: 'Revoking…',
  },
  done: {
    keyStaged: 'The next key is published. It starts to sign in ten minutes.',
    keyRotated: 'The new key is now signing. The previous key stays published for 25 hours.',
    keyRevoked: 'The key was revoked. A new key is now signing.',
  },
})
