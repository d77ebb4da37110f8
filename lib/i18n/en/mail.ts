import { english } from '../translation'

/** Letters, and the pages that send them or open their links. */
export const mail = english({
  off: 'This portal can’t send mail at the moment. Ask the people who run it to help you.',
  printed: 'No mail server is set, so the mail is printed where the portal was started.',
  slowDown: 'Too many requests',
  slowDownNext: 'Please wait {minutes} minutes, then try again.',
  signIn: 'Sign in',
  backToSignIn: 'Back to sign-in',
  otherAccount: 'You’re signed in as {name}. That is another account.',

  forgot: {
    title: 'Forgot your password?',
    intro: 'Tell us who you are and we’ll mail you a link to choose a new one.',
    link: 'Forgot your password?',
    identifier: 'Email or username',
    identifierMissing: 'Enter your email or username.',
    submit: 'Send the link',
    submitting: 'Sending…',
    sentTitle: 'Check your mail',
    sent: 'If there is an account with that name, a link is on its way to its address. It works once, for 30 minutes.',
    sentHint: 'Nothing there after a few minutes? Look in the spam folder, or ask again.',
    again: 'Ask again',
  },
  reset: {
    title: 'Choose a new password',
    intro: 'It’s for {email}. You’ll be signed out everywhere else.',
    password: 'New password',
    submit: 'Change the password',
    submitting: 'Changing…',
    closedTitle: 'This link doesn’t work any more',
    closed: 'It has expired, or it was used already. Ask for a new one; it takes a minute.',
    newLink: 'Get a new link',
    doneTitle: 'Your password is changed',
    done: 'All earlier sessions have ended. Sign in with the new password.',
  },
  verify: {
    title: 'Confirm your address',
    intro: 'Is {email} yours? Then confirm it, and apps will know it’s you.',
    submit: 'Yes, it’s mine',
    submitting: 'Confirming…',
    signInIntro:
      'Somebody made an account here with the address {email}. Was it you? Then sign in to that account, and you can confirm the address.',
    signIn: 'Sign in to confirm',
    notYouTitle: 'It wasn’t you?',
    notYou:
      'Then do nothing: nobody can confirm your address without you. If you want an account with this address for yourself, choose a new password for it. That signs out whoever made the account and removes every other way in that they left.',
    takeAddress: 'Choose a new password by mail',
    closedTitle: 'This link doesn’t work any more',
    closed:
      'It has expired, or it was used already. If your address isn’t confirmed yet, you can get a new link.',
    newLink: 'Get a new link',
    sendIntro: 'We’ll mail a link to {email}. Open it to confirm that the address is yours.',
    send: 'Send the link',
    sending: 'Sending…',
    sentTitle: 'Check your mail',
    sent: 'A link is on its way to you. It works once, for 30 minutes.',
    doneTitle: 'Your address is confirmed',
    done: 'Thank you. Nothing else to do here.',
    already: 'Your address is confirmed already.',
    goOn: 'Continue',
  },
  register: {
    title: 'Create an account',
    intro: 'One account for every app behind this portal.',
    link: 'Create an account',
    have: 'I have an account',
    submit: 'Create the account',
    submitting: 'Creating the account…',
    sentTitle: 'Check your mail',
    sent: 'We’ve written to the address you gave. Open the link in that mail, sign in with the password you’ve chosen, and confirm that the address is yours.',
    closedTitle: 'Accounts are made by invitation here',
    closed: 'You can’t create one yourself. Ask the people who run this portal.',
  },

  changeEmail: {
    title: 'Use this address?',
    intro: 'Your account will have the address {email}. You’ll sign in with it from now on.',
    submit: 'Use this address',
    submitting: 'Changing…',
    signInIntro:
      'Somebody wants {email} to be the address of their account here. Was it you? Then sign in to your account as you did so far, and you can say yes.',
    signIn: 'Sign in to go on',
    notYouTitle: 'It wasn’t you?',
    notYou: 'Then do nothing. Nobody can take this address without you, and nothing changes.',
    closedTitle: 'This link doesn’t work any more',
    closed: 'It has expired, it was used already, or somebody has that address by now.',
    again: 'Go to your account',
    doneTitle: 'Your address is changed',
    done: 'Sign in with the new one from now on. We’ve told the old one.',
    goOn: 'Go to your account',
  },
  invite: {
    title: 'Welcome',
    intro: 'Choose a password for {email}, and the account is yours.',
    password: 'Password',
    submit: 'Accept the invitation',
    submitting: 'One moment…',
    closedTitle: 'This invitation doesn’t work any more',
    closed:
      'It has expired, or it was used already. Ask the people who invited you for a new one. If you have a password, you can simply sign in.',
    doneTitle: 'The account is yours',
    done: 'Sign in with your address and the password you’ve just chosen.',
  },

  letters: {
    hello: 'Hello {name},',
    helloStranger: 'Hello,',
    test: {
      subject: 'Mail works',
      text: 'This is the test letter that you asked for at {host}. Nothing else is to be done.',
    },
    reset: {
      subject: 'Choose a new password',
      text: 'Somebody, hopefully you, asked for a new password for your account at {host}.',
      button: 'Choose a new password',
      note: 'The link works once, for 30 minutes.',
      ignore:
        'If it wasn’t you, do nothing: your password stays as it is, and nobody else can see this mail.',
    },
    verify: {
      subject: 'Confirm your address',
      text: 'An account at {host} says that {email} is its address. If you made it, open the link, sign in to the account and confirm the address.',
      button: 'Confirm the address',
      note: 'The link works once, for 30 minutes.',
      ignore:
        'If you didn’t make this account, do nothing: nobody can confirm your address without you.',
    },
    changeEmail: {
      subject: 'Use this address?',
      text: 'Somebody, hopefully you, wants {email} to be the address of their account at {host}. If it was you, open the link, sign in to your account and say yes.',
      button: 'Use this address',
      note: 'The link works once, for 30 minutes.',
      ignore: 'If it wasn’t you, ignore this mail: nothing changes.',
    },
    invitation: {
      subject: 'You are invited',
      text: 'An account at {host} is waiting for you. Choose a password and it’s yours: one account for every app behind that portal.',
      button: 'Accept the invitation',
      note: 'The link works once, for 7 days.',
      ignore: 'If you don’t know what this is about, ignore this mail: nothing happens.',
    },
    addressTaken: {
      subject: 'You already have an account',
      text: 'Somebody, hopefully you, tried to create an account at {host} with this address. There is one already, and nothing was changed. If you forgot its password, you can choose a new one on the sign-in page.',
      button: 'Sign in',
      ignore: 'If it wasn’t you, you need not do anything.',
    },
    notices: {
      password_changed: {
        subject: 'Your password was changed',
        text: 'The password of your account at {host} was changed, and everybody else who was signed in with it is signed out.',
      },
      factor_added: {
        subject: 'A new way to prove it’s you',
        text: 'Something was added to your account at {host} that can prove it’s you when you sign in.',
      },
      factor_removed: {
        subject: 'One proof less that it’s you',
        text: 'Something that could prove it’s you was removed from your account at {host}.',
      },
      recovery_codes_made: {
        subject: 'You have new recovery codes',
        text: 'New recovery codes were made for your account at {host}. The earlier ones don’t work any more.',
      },
      recovery_code_used: {
        subject: 'A recovery code was used',
        text: 'One of your recovery codes stood in for your second proof at {host}. It won’t work again.',
      },
      wrong_codes: {
        subject: 'Wrong codes for your account',
        text: 'Somebody typed five wrong codes where your account at {host} asks for its second proof. To get that far they needed your password, or a browser in which you are signed in. Codes are locked for a while now, and for longer each time.',
      },
      mail_server_changed: {
        subject: 'The mail server was changed',
        text: 'Letters of {host} go out through another mail server from now on. Whoever runs that server can read them, and so can use the links that choose a new password.',
      },
      provider_changed: {
        subject: 'A sign-in provider was changed',
        text: 'A provider through which people sign in to {host} was added, changed or removed. Whoever runs a provider can sign in as everybody who uses it.',
      },
      email_changed: {
        subject: 'Your account has this address now',
        text: 'Your account at {host} now has the address {email}. You sign in with it from now on.',
      },
      email_left: {
        subject: 'Your account has another address now',
        text: 'Your account at {host} no longer has this address. Letters go to the new one from now on.',
      },
      new_device: {
        subject: 'A new device signed in',
        text: 'Somebody signed in to your account at {host} from a browser and a network that we haven’t seen you use in the last 90 days.',
      },
      deletion_asked: {
        subject: 'Your account will be deleted',
        text: 'You asked us to delete your account at {host}. You are signed out everywhere, and apps can’t use the account any more. In 14 days it is gone for good. Until then you can keep it: just sign in.',
      },
      deletion_cancelled: {
        subject: 'Your account stays',
        text: 'You signed in and kept your account at {host}. It won’t be deleted. Apps have to ask you again before they get anything.',
      },
      app_signed_out: {
        subject: 'An app was signed out',
        text: 'The sign-in of an app was used twice, in a way that a lost connection doesn’t explain. Somebody else may have a copy of it. We have signed the app out of your account at {host}. To use the app again, sign in to it again.',
      },
    },
    factors: {
      totp: 'Authenticator app',
      passkey: 'Passkey',
      identity: 'Account at another provider',
    },
    facts: {
      what: 'What',
      app: 'App',
      when: 'When',
      device: 'Device',
      address: 'IP address',
      unknownAddress: 'unknown',
      before: 'Before',
      after: 'Now',
      nothing: 'none',
      by: 'Changed by',
      via: 'This letter was sent through',
    },
    notYou:
      'If it was you, there is nothing to do. If it wasn’t, choose a new password at once: that ends every session and signs out whoever did this. Then tell the people who run the portal.',
    notYouAskForHelp:
      'If it was you, there is nothing to do. If it wasn’t, tell the people who run the portal at once: they can give you your account back.',
    codesLocked:
      'If it was you, wait, or use a passkey or a recovery code: they work without waiting. If it wasn’t, choose a new password at once: that ends every session. The lock stays even then, so that nobody opens it who only reads your mail. If you have neither a passkey nor a recovery code and can’t wait, ask the people who run the portal.',
    notOneOfYou:
      'If one of you did this, there is nothing to do. If not, sign in at once, put it back under Settings and disable the account that did it. The audit log says what was changed.',
    auditLog: 'Open the audit log',
    notMe: 'It wasn’t me',
  },
})
