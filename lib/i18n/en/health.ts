import { english } from '../translation'

/** What is found, and what to do about it. */
export const health = english({
  issuer_https: { detail: 'The issuer is {issuer}.' },
  issuer_http: {
    detail: 'The issuer is {issuer}: plain http, which only this machine can use.',
    mend: 'Before others use the portal, set ISSUER to its public https address.',
  },
  issuer_other_host: {
    detail: 'You came through {host}, but the issuer is {issuer}.',
    mend: 'Use the issuer’s address, or set ISSUER to the one that people use.',
  },
  cookies_secure: { detail: 'Cookies travel over https only.' },
  cookies_plain: {
    detail: 'Cookies may travel over plain http, because the issuer is {where}.',
    mend: 'They become secure by themselves once ISSUER starts with https://.',
  },
  callers_known: {
    detail: 'The portal knows the addresses of its callers, and limits guesses by them.',
  },
  callers_unknown: {
    detail:
      'The portal doesn’t know the addresses of its callers: guesses are limited by account and as a whole, not by address.',
    mend: 'Set TRUSTED_PROXIES to the number of proxies in front, or run the portal with npm start.',
  },
  database_quick: { detail: '{kind} answers in {ms} ms.' },
  database_slow: {
    detail: '{kind} takes {ms} ms to answer.',
    mend: 'Move the database closer to the portal, or look at its load.',
  },
  database_away: {
    detail: 'The database doesn’t answer.',
    mend: 'Check DATABASE_URL and whether the database is running.',
  },
  clock_right: { detail: 'This machine and the database agree on the time.' },
  clock_off: {
    detail: 'This machine and the database are {seconds} s apart.',
    mend: 'Turn on time synchronisation (NTP) on both: tokens live by the clock.',
  },
  clock_unknown: {
    detail: 'The database’s clock couldn’t be read.',
    mend: 'Mend the database first.',
  },
  migrations_done: { detail: 'All {count} migrations are applied.' },
  migrations_pending: {
    detail: 'These migrations are not applied: {names}.',
    mend: 'Restart the portal with npm start; it applies them.',
  },
  migrations_newer: {
    detail: 'A newer version has changed this database: {names}.',
    mend: 'Install that version here, too.',
  },
  migrations_unknown: {
    detail: 'The state of the migrations couldn’t be read.',
    mend: 'Mend the database first.',
  },
  mail_smtp: { detail: 'Mail goes out through your mail server.' },
  mail_printed: {
    detail: 'Mail isn’t sent: in development it is printed and kept in the outbox.',
    mend: 'Set up a mail server to reach people.',
  },
  mail_off: {
    detail: 'Mail is off: nobody can reset a password or confirm an address.',
    mend: 'Set SMTP_URL and MAIL_FROM.',
  },
  outbox_empty: { detail: 'Nothing is waiting to be sent.' },
  outbox_waits: {
    detail: 'Waiting for more than five minutes: {count} messages.',
    mend: 'Check that the mail server and the applications’ logout addresses answer.',
  },
  outbox_failed: {
    detail: 'Given up within the last seven days: {count} messages.',
    mend: 'The log says why. Mend the address, then ask again for what should be sent.',
  },
  keys_young: { detail: 'The oldest key that signs is {days} days old.' },
  keys_old: {
    detail: 'A key has been signing for {days} days, though it should have been replaced by now.',
    mend: 'Rotate it under Signing keys.',
  },
  keys_none: {
    detail: 'There is no key to sign with.',
    mend: 'Restart the portal; it makes one. If that fails, check GATEHOUSE_SECRET.',
  },
  demo_left: {
    detail: 'Sample data of --demo is still in use: {names}.',
    mend: 'Everybody knows these names. Create an owner of your own, then delete or disable them.',
  },
})
