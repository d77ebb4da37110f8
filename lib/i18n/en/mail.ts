import { english } from '../translation'

/** Letters, and the pages that send them or open their links. */
export const mail = english({
  off: 'This portal can’t send mail right now. Ask the people who run this portal for help.',
  printed:
    'No mail server is set up. The mail is printed in the terminal where the portal was started.',
  slowDown: 'Too many requests',
  slowDownNext: {
    one: 'Please wait {count} minute, then try again.',
    other: 'Please wait {count} minutes, then try again.',
  },
  signIn: 'Sign in',
  backToSignIn: 'Back to sign-in',
  otherAccount: 'You’re signed in as {name}. This link is for another account.',

  forgot: {
    title: 'Forgot your password?',
    intro: 'Enter your email address or username. We’ll send you a link to set a new password.',
    link: 'Forgot your password?',
    identifier: 'Email or username',
    identifierMissing: 'Enter your email address or username.',
    submit: 'Send the link',
    submitting: 'Sending…',
    sentTitle: 'Check your mail',
    sent: 'If this account exists, we sent a link to its email address. The link works once, for 30 minutes.',
    sentHint:
      'If you get no mail within a few minutes, check the spam folder or request a new link.',
    again: 'Request a new link',
  },
  reset: {
    title: 'Set a new password',
    intro: 'For {email}. You will be signed out on all other devices.',
    password: 'New password',
    submit: 'Change password',
    submitting: 'Changing…',
    closedTitle: 'This link no longer works',
    closed: 'It has expired or was already used. Request a new link.',
    newLink: 'Get a new link',
    doneTitle: 'Your password was changed',
    done: 'All earlier sessions have ended. Sign in with the new password.',
  },
  verify: {
    title: 'Confirm your email address',
    intro: 'If {email} is your email address, confirm it. Applications then see it as verified.',
    submit: 'Confirm',
    submitting: 'Confirming…',
    signInIntro:
      'Somebody created an account here with the email address {email}. If it was you, sign in to that account and confirm the address.',
    signIn: 'Sign in to confirm',
    notYouTitle: 'If it wasn’t you',
    notYou:
      'You don’t need to do anything. Nobody can confirm your email address without you. If you want an account with this email address, set a new password for it. The person who created the account is then signed out, and their other sign-in methods are removed.',
    takeAddress: 'Get a link to set a new password',
    closedTitle: 'This link no longer works',
    closed:
      'It has expired or was already used. If your email address isn’t confirmed yet, you can get a new link.',
    newLink: 'Get a new link',
    sendIntro: 'We’ll send a link to {email}. Open it to confirm your email address.',
    send: 'Send the link',
    sending: 'Sending…',
    sentTitle: 'Check your mail',
    sent: 'We sent you a link. It works once, for 30 minutes.',
    doneTitle: 'Your email address is confirmed',
    done: 'Thank you. You don’t need to do anything else.',
    already: 'Your email address is already confirmed.',
    goOn: 'Continue',
  },
  register: {
    title: 'Create an account',
    intro: 'One account for all applications of this portal.',
    link: 'Create an account',
    have: 'I already have an account',
    submit: 'Create the account',
    submitting: 'Creating the account…',
    sentTitle: 'Check your mail',
    sent: 'We sent a link to your email address. Open the link, sign in with the password that you chose, and confirm your email address.',
    closedTitle: 'You need an invitation',
    closed:
      'You can’t create an account yourself on this portal. Ask the people who run this portal for an invitation.',
  },

  changeEmail: {
    title: 'Use this email address?',
    intro: 'The new email address of your account will be {email}. You will use it to sign in.',
    submit: 'Use this email address',
    submitting: 'Changing…',
    signInIntro:
      'Somebody wants to use {email} for their account on this portal. If it was you, sign in to your account as before, then confirm the new email address.',
    signIn: 'Sign in to continue',
    notYouTitle: 'If it wasn’t you',
    notYou:
      'You don’t need to do anything. Nobody can use this email address without you, and nothing changes.',
    closedTitle: 'This link no longer works',
    closed: 'It has expired, it was already used, or another account now has this email address.',
    again: 'Go to your account',
    doneTitle: 'Your email address was changed',
    done: 'Use the new email address to sign in. We sent a notice to the old one.',
    goOn: 'Go to your account',
  },
  notMe: {
    title: 'It wasn’t you?',
    intro: 'Secure the account {email}. This is what happens:',
    effects: {
      sessions: 'Everybody is signed out of your account on all devices, including you.',
      apps: 'Applications lose their access until you sign in to them again.',
      password: 'Your password stops working. We send you a link to set a new one.',
      report: 'The people who run this portal can see in the audit log that you did this.',
    },
    kept: 'Nothing else changes. Your sign-in methods stay as they are.',
    submit: 'Secure my account',
    submitting: 'Securing…',
    itWasMe: 'If it was you, close this page.',
    closedTitle: 'This link no longer works',
    closed:
      'It has expired, or your account was already secured. If somebody else still uses your account, set a new password. This signs out all devices.',
    newPassword: 'Set a new password',
    doneTitle: 'Everybody was signed out',
    doneWithMail:
      'Your old password no longer works. We sent you a mail with a link to set a new one. The link works once, for 30 minutes.',
    donePlain:
      'Nobody is signed in to your account now. If you have a password, set a new one at once.',
    next: 'Then sign in and open Security. Remove every sign-in method that is not yours. If you can’t sign in any more, ask the people who run this portal for help.',
    security: 'Sign in and check Security',
  },
  invite: {
    title: 'Welcome',
    intro: 'To activate your account, choose a password for {email}.',
    password: 'Password',
    submit: 'Accept the invitation',
    submitting: 'Please wait…',
    closedTitle: 'This invitation no longer works',
    closed:
      'It has expired or was already used. Ask the person who invited you for a new one. If you already have a password, sign in.',
    doneTitle: 'Your account is active',
    done: 'Sign in with your email address and the password that you chose.',
  },

  letters: {
    review: {
      asked: {
        subject: 'Please review access',
        text: 'You are asked to review access at {host}: {name}. What nobody decides about by {day} is removed.',
        button: 'See the review',
      },
      reminded: {
        subject: 'A review of access ends soon',
        text: 'The review “{name}” at {host} ends on {day}. What nobody decides about by then is removed.',
        button: 'See the review',
      },
    },
    accessRequest: {
      asked: {
        subject: 'Somebody asks for access',
        text: 'Somebody asks for {scope} at {host}, and you can decide about it.',
        button: 'See the request',
      },
      asked_for_you: {
        subject: 'An application asked for access for you',
        text: 'An application asked for {scope} at {host} for you, and somebody else decides about it. If you don’t need it, you can withdraw the request.',
        button: 'See the request',
      },
      approved: {
        subject: 'Your request was approved',
        text: 'Your request for {scope} at {host} was approved.',
        button: 'See your request',
      },
      denied: {
        subject: 'Your request was denied',
        text: 'Your request for {scope} at {host} was denied.',
        button: 'See your request',
      },
      expired: {
        subject: 'Nobody decided about your request',
        text: 'Nobody decided in time about your request for {scope} at {host}. You can ask again.',
        button: 'See your request',
      },
      failed: {
        subject: 'Your request can’t be met',
        text: 'Your request for {scope} at {host} can no longer be met.',
        button: 'See your request',
      },
      revoked: {
        subject: 'Your access was ended',
        text: 'Somebody ended your access to {scope} at {host} before its time. You can ask again.',
        button: 'See your request',
      },
      emergency: {
        subject: 'Somebody opened access in an emergency',
        text: 'Somebody opened {scope} at {host} in an emergency, without an approval. Look at it. Whoever the rule names, and every owner of the portal, can review it before the deadline. You may be one of them.',
        button: 'See what was opened',
      },
      opened: {
        subject: 'You opened access in an emergency',
        text: '{scope} at {host} was opened with your account in an emergency. All owners were told. If it wasn’t you, end the access at once and change your password.',
        button: 'See your access',
      },
      reviewed: {
        subject: 'Your emergency access was reviewed',
        text: 'Somebody reviewed that you opened {scope} at {host} in an emergency.',
        button: 'See the review',
      },
      review_reminder: {
        subject: 'A review of emergency access is due soon',
        text: 'Somebody opened {scope} at {host} in an emergency, and nobody has reviewed it yet. If nobody does before the deadline, the access ends, and this person can’t open anything of this API.',
        button: 'Review it',
      },
      review_missed: {
        subject: 'A review of emergency access is missing',
        text: 'Nobody reviewed in time that {scope} was opened at {host} in an emergency. The access has ended. It can still be reviewed.',
        button: 'See what was opened',
      },
      right_lost: {
        subject: 'Nobody reviewed your emergency access',
        text: 'Nobody reviewed in time that you opened {scope} at {host} in an emergency. The access has ended. You can’t open anything of this API until somebody has reviewed it.',
        button: 'See your access',
      },
    },
    hello: 'Hello {name},',
    helloUnknown: 'Hello,',
    test: {
      subject: 'Test mail',
      text: 'This is the test mail that you requested at {host}. The mail server works. You don’t need to do anything.',
    },
    reset: {
      subject: 'Set a new password',
      text: 'Somebody asked for a new password for your account at {host}. If it was you, use this link.',
      button: 'Set a new password',
      note: 'The link works once, for 30 minutes.',
      ignore:
        'If it wasn’t you, you don’t need to do anything. Your password stays the same, and nobody else can see this mail.',
    },
    verify: {
      subject: 'Confirm your email address',
      text: 'An account at {host} uses the email address {email}. If you created this account, open the link, sign in and confirm the email address.',
      button: 'Confirm email address',
      note: 'The link works once, for 30 minutes.',
      ignore:
        'If you didn’t create this account, you don’t need to do anything. Nobody can confirm your email address without you.',
    },
    changeEmail: {
      subject: 'Use this email address?',
      text: 'Somebody wants to use {email} for their account at {host}. If it was you, open the link, sign in to your account and confirm.',
      button: 'Use this email address',
      note: 'The link works once, for 30 minutes.',
      ignore: 'If it wasn’t you, ignore this mail. Nothing changes.',
    },
    invitation: {
      subject: 'You are invited',
      text: 'You are invited to create your account at {host}. Choose a password to activate it. You can use this account for all applications of that portal.',
      button: 'Accept the invitation',
      note: 'The link works once, for 7 days.',
      ignore: 'If you did not expect this invitation, ignore this mail.',
    },
    addressTaken: {
      subject: 'You already have an account',
      text: 'Somebody tried to create an account at {host} with this email address. You already have an account, and nothing was changed. If you forgot your password, you can set a new one on the sign-in page.',
      button: 'Sign in',
      ignore: 'If it wasn’t you, you don’t need to do anything.',
    },
    notices: {
      password_changed: {
        subject: 'Your password was changed',
        text: 'The password of your account at {host} was changed. All other devices were signed out.',
      },
      factor_added: {
        subject: 'A sign-in method was added',
        text: 'A sign-in method was added to your account at {host}.',
      },
      factor_removed: {
        subject: 'A sign-in method was removed',
        text: 'A sign-in method was removed from your account at {host}.',
      },
      recovery_codes_made: {
        subject: 'You have new recovery codes',
        text: 'New recovery codes were created for your account at {host}. The earlier codes no longer work.',
      },
      recovery_code_used: {
        subject: 'A recovery code was used',
        text: 'A recovery code was used instead of your second factor at {host}. It won’t work again.',
      },
      wrong_codes: {
        subject: 'Wrong codes for your account',
        text: 'Somebody entered five wrong codes for the second factor of your account at {host}. To do that, they needed your password or a browser in which you are signed in. Codes are now locked for some time. Each lock is longer than the one before.',
      },
      mail_server_changed: {
        subject: 'The mail server was changed',
        text: '{host} now sends mail through another mail server. The operator of that server can read the mail and can use the password links in it.',
      },
      provider_changed: {
        subject: 'A sign-in provider was changed',
        text: 'A sign-in provider of {host} was added, changed or removed. The operator of a provider can sign in as every user who signs in through it.',
      },
      email_changed: {
        subject: 'Your account uses this email address now',
        text: 'Your account at {host} now uses the email address {email}. Use it to sign in.',
      },
      email_left: {
        subject: 'Your account uses another email address now',
        text: 'Your account at {host} no longer uses this email address. Mail is now sent to the new one.',
      },
      new_device: {
        subject: 'A new device signed in',
        text: 'Your account at {host} was used to sign in from a browser and a network that you have not used in the last 90 days.',
      },
      deletion_asked: {
        subject: 'Your account will be deleted',
        text: 'You asked us to delete your account at {host}. You are signed out on all devices, and applications can’t use the account. It will be deleted permanently in 14 days. To keep your account, sign in before that.',
      },
      deletion_cancelled: {
        subject: 'Your account will not be deleted',
        text: 'You signed in and cancelled the deletion of your account at {host}. Applications must ask you again before they get access.',
      },
      app_signed_out: {
        subject: 'An application was signed out',
        text: 'A sign-in of an application was used twice, and a lost connection does not explain it. Somebody else may have copied it. We signed the application out of your account at {host}. To use the application, sign in to it again.',
      },
    },
    factors: {
      totp: 'Authenticator app',
      passkey: 'Passkey',
      identity: 'Account at another provider',
    },
    facts: {
      what: 'What changed',
      app: 'Application',
      when: 'When',
      device: 'Device',
      address: 'IP address',
      unknownAddress: 'unknown',
      place: 'Place (roughly)',
      before: 'Before',
      after: 'Now',
      nothing: 'none',
      by: 'Changed by',
      via: 'This mail was sent through',
    },
    notYou:
      'If it was you, you don’t need to do anything. If it wasn’t you, use this link at once. It signs everybody out of your account, and your password stops working until you set a new one.',
    notYouAskForHelp:
      'If it was you, you don’t need to do anything. If it wasn’t you, tell the people who run the portal at once. They can help you get your account back.',
    codesLocked:
      'If it was you, please wait, or use a passkey or a recovery code now. If it wasn’t you, use this link at once. It signs everybody out, and you set a new password. A new password does not remove the lock, because somebody who can read your mail could set one too. If you have no passkey and no recovery code and can’t wait, ask the people who run the portal.',
    notOneOfYou:
      'If an owner of the portal did this, you don’t need to do anything. If not, sign in at once, undo the change under Settings and disable the account that made it. The audit log shows what was changed.',
    auditLog: 'Open the audit log',
    notMe: 'It wasn’t me',
  },
})
