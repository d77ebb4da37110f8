import { english } from '../translation'

/** What is found, and what to do about it. */
export const health = english({
  issuer_https: { detail: 'The issuer is {issuer}.' },
  issuer_http: {
    detail: 'The issuer is {issuer}. It uses plain http, so only this machine can use it.',
    fix: 'Before others use the portal, set the environment variable ISSUER to its public https URL and start the portal again.',
  },
  issuer_other_host: {
    detail: 'You opened the portal at {host}, but the issuer is {issuer}.',
    fix: 'Open the portal at the issuer’s URL, or set ISSUER to the URL that users open.',
  },
  cookies_secure: { detail: 'Cookies are sent over https only.' },
  cookies_plain: {
    detail: 'Cookies may be sent over plain http, because the issuer is {where}.',
    fix: 'Cookies become secure automatically when ISSUER starts with https://.',
  },
  callers_known: {
    detail: 'The portal knows the IP addresses of clients and limits attempts by IP address.',
  },
  callers_unknown: {
    detail:
      'The portal does not know the IP addresses of clients. Attempts are limited by account and in total, but not by IP address.',
    fix: 'Set TRUSTED_PROXIES to the number of proxies in front of the portal, or run the portal with npm start.',
  },
  callers_behind_proxy: {
    detail:
      'This request came through a proxy, but TRUSTED_PROXIES is not set. The portal takes the proxy for the client: all users share one IP address, and the limits of one are the limits of all.',
    fix: 'Set TRUSTED_PROXIES to the number of proxies in front of the portal.',
  },
  database_quick: { detail: '{kind} responds in {ms} ms.' },
  database_slow: {
    detail: '{kind} takes {ms} ms to respond.',
    fix: 'Move the database closer to the portal, or check its load.',
  },
  database_away: {
    detail: 'The database does not respond.',
    fix: 'Check DATABASE_URL, and check that the database is running.',
  },
  clock_right: { detail: 'The clocks of this machine and the database agree.' },
  clock_off: {
    detail: 'The clocks of this machine and the database differ by {seconds} s.',
    fix: 'Turn on time synchronisation (NTP) on both. Token lifetimes depend on the clock.',
  },
  clock_unknown: {
    detail: 'The clock of the database could not be read.',
    fix: 'Fix the database first.',
  },
  migrations_done: { detail: 'Migrations applied: {count}.' },
  migrations_pending: {
    detail: 'These migrations are not applied: {names}.',
    fix: 'Restart the portal with npm start. It applies the migrations.',
  },
  migrations_newer: {
    detail: 'A newer version of the portal changed this database: {names}.',
    fix: 'Install that version here.',
  },
  migrations_unknown: {
    detail: 'The state of the migrations could not be read.',
    fix: 'Fix the database first.',
  },
  mail_smtp: { detail: 'Mail is sent through your mail server.' },
  mail_printed: {
    detail: 'Mail is not sent. In development it is printed and kept in the outbox.',
    fix: 'To send mail to users, set up a mail server in the settings, or set the environment variables SMTP_URL and MAIL_FROM.',
  },
  mail_off: {
    detail: 'Mail is off. Users can’t reset a password or confirm an email address.',
    fix: 'Set up a mail server in the settings, or set the environment variables SMTP_URL and MAIL_FROM.',
  },
  outbox_empty: { detail: 'No messages are waiting.' },
  outbox_waits: {
    detail: 'Messages that have been waiting for more than five minutes: {count}.',
    fix: 'The outbox in the settings shows the reason for each. Check that the mail server, the webhooks and the logout URIs of the applications respond.',
  },
  outbox_failed: {
    detail: 'Messages that could not be delivered in the last seven days: {count}.',
    fix: 'The outbox in the settings shows the reason for each. Correct the address, then try the message again.',
  },
  keys_young: { detail: 'Age of the oldest active signing key in days: {days}.' },
  keys_old: {
    detail: 'A signing key has been active for {days} days. It should have been replaced by now.',
    fix: 'Replace it under Signing keys.',
  },
  keys_none: {
    detail: 'There is no signing key.',
    fix: 'Restart the portal. It creates a signing key. If that fails, check GATEHOUSE_SECRET.',
  },
  applications_weakened: {
    detail: 'Applications with a setting that makes them less safe: {names}.',
    fix: 'Open the settings of each, section Compatibility. Choose the recommended setting as soon as its library allows.',
  },
  requests_decided: {
    detail:
      'Request rules that were looked at: {count} of {total}. Somebody can decide about each.',
  },
  requests_undecided: {
    detail: 'Nobody, or too few people, can decide about some requests by these rules: {names}.',
    fix: 'Open the page Requests of the API and name others, or put somebody into the role, the group or the owners that decide. Until then, such a request waits and ends without a decision.',
  },
  emergencies_unreviewed: {
    detail:
      'Nobody whom these rules name can review everything that is opened in an emergency: {names}.',
    fix: 'Open the page Requests of the API and name other reviewers. Until then, only the owners of the portal review it.',
  },
  demo_left: {
    detail: 'Sample data from --demo is still in use: {names}.',
    fix: 'These names are publicly known. Create your own owner, then delete or disable them.',
  },
})
