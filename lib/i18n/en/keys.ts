import { english } from '../translation'

export const keys = english({
  title: 'Signing keys',
  intro:
    'Every token carries a signature of one of these keys. They replace themselves; you only step in when you want to, or must.',
  algorithms: {
    ES256: 'ES256 signs access tokens, unless an API or an application asks for RS256.',
    RS256: 'RS256 signs ID tokens, because every application can check it.',
  },
  states: {
    staged: 'Published',
    active: 'Signing',
    retiring: 'Retiring',
    removed: 'Gone',
    revoked: 'Revoked',
  },
  schedule: {
    next: 'On {date} the next key is published by itself. {minutes} minutes later it begins to sign.',
    staged:
      'The next key is published and begins to sign on {date}, when everybody has had time to fetch it.',
    none: 'A key is made as soon as one is needed.',
  },
  timeline: '{alg}: its keys over time',
  published: 'published',
  signs: 'signs',
  retires: 'only checked',
  planned: 'planned',
  now: 'now',
  table: {
    key: 'Key',
    state: 'State',
    signsFrom: 'Signs from (UTC)',
    signsUntil: 'Signed until (UTC)',
    removed: 'Published until (UTC)',
    age: 'Signing for',
    days: '{count} days',
    today: 'less than a day',
  },
  stage: 'Publish the next key now',
  staging: 'Publishing…',
  stageText:
    'Makes a key and publishes it. It takes over by itself ten minutes later, so nobody notices.',
  rotate: 'Let it sign now',
  rotating: 'Changing keys…',
  rotateEarly: 'Don’t wait…',
  rotateEarlyText:
    'The new key was published only a moment ago. Applications that haven’t fetched it yet will refuse new tokens for up to five minutes.',
  rotateText: 'The new key has been published for long enough: nobody will notice.',
  one: {
    title: 'Key {kid}',
    facts: 'What is known of it',
    id: 'Key ID',
    algorithm: 'Algorithm',
    state: 'State',
    created: 'Made',
    signsFrom: 'Signs from',
    signsUntil: 'Signed until',
    removed: 'Published until',
  },
  revoke: {
    title: 'Revoke this key',
    summary: 'Revoke in an emergency…',
    text: 'Do this when the private key may be in somebody else’s hands. It takes effect at once and can’t be undone.',
    warns: 'This key is signing right now.',
    gone: 'This key was revoked. Nothing that it signed is believed.',
    whatHappens: 'What happens when you revoke it',
    consequences: {
      tokens_disbelieved:
        'Tokens signed with it stop being believed at once: at most {tokens} that were issued in the last day.',
      apps_get_errors:
        'Applications that hold such tokens get errors until they ask for new ones. Services that keep our published keys in a cache may believe old tokens for up to five minutes.',
      people_stay_signed_in: 'People stay signed in at this portal.',
      refresh_goes_on: 'Refresh tokens go on working: they aren’t signed with it.',
      new_key_at_once: 'A new key is made and signs at once.',
      staged_key_takes_over: 'The key that is published already takes over at once.',
      key_not_seen_yet:
        'That new key hasn’t been fetched by everybody yet, so some applications may refuse new tokens for up to five minutes.',
      nothing_alive: 'Nothing that is still valid was signed with it. Nobody will notice.',
    },
    applications: 'Applications that are affected',
    type: 'To confirm, type {kid}, the first eight characters of the key ID',
    wrong: 'That isn’t it. Type the first eight characters exactly as shown.',
    submit: 'Revoke this key',
    busy: 'Revoking…',
  },
  done: {
    keyStaged: 'The next key is published. It begins to sign in ten minutes.',
    keyRotated: 'The new key signs from now on. The one before stays published for 25 hours.',
    keyRevoked: 'The key was revoked. A new key signs from now on.',
  },
})
