import type { ClientView, MailRecipient, PluginMail } from '@keyhost/spi';

/** The lifetime of a code, in seconds. */
export const LIFETIME = 300;

/** Texts of the page that asks for the code. */
export const PAGE = {
  title: { key: 'emailCodeTitle', texts: { en: 'Check your email', de: 'Sehen Sie in Ihre E-Mails' } },
  text: {
    key: 'emailCodeText',
    texts: {
      en: 'We have sent a code to your email address.',
      de: 'Wir haben einen Code an Ihre E-Mail-Adresse gesendet.',
    },
  },
  asked: {
    key: 'emailCodeAsked',
    texts: {
      en: 'If an account has this name and an email address, you get a code by email.',
      de: 'Wenn ein Konto diesen Namen und eine E-Mail-Adresse hat, erhalten Sie einen Code per E-Mail.',
    },
  },
  tooManyMails: {
    key: 'emailCodeTooManyMails',
    texts: {
      en: 'No further code was sent just now: too many were asked for. Use the newest one, or try again in an hour.',
      de: 'Es wurde jetzt kein weiterer Code gesendet: Es wurden zu viele angefordert. Nehmen Sie den neuesten, oder versuchen Sie es in einer Stunde erneut.',
    },
  },
  unsent: { key: 'emailCodeUnsent', texts: { en: 'Code by email', de: 'Code per E-Mail' } },
  code: { key: 'emailCodeLabel', texts: { en: 'Code', de: 'Code' } },
  resend: { key: 'emailCodeResend', texts: { en: 'Send me a new code', de: 'Neuen Code senden' } },
  sentAgain: {
    key: 'emailCodeSentAgain',
    severity: 'info' as const,
    texts: {
      en: 'We have sent a new code. The old one is no longer valid.',
      de: 'Wir haben einen neuen Code gesendet. Der alte gilt nicht mehr.',
    },
  },
  notSent: {
    key: 'emailCodeNotSent',
    texts: {
      en: 'No code could be sent. Try again later.',
      de: 'Es konnte kein Code gesendet werden. Versuchen Sie es später noch einmal.',
    },
  },
  wrong: {
    key: 'emailCodeWrong',
    texts: { en: 'This is not the code of the newest email.', de: 'Das ist nicht der Code der neuesten E-Mail.' },
  },
  expired: {
    key: 'emailCodeExpired',
    texts: {
      en: 'The code is no longer valid. Ask for a new one.',
      de: 'Der Code gilt nicht mehr. Fordern Sie einen neuen an.',
    },
  },
  tooMany: {
    key: 'emailCodeTooMany',
    texts: { en: 'Too many wrong codes. Start again.', de: 'Zu viele falsche Codes. Beginnen Sie von vorn.' },
  },
};

/** The mail with the code. */
export function codeMail(to: MailRecipient, application: string, code: string): PluginMail {
  return {
    to,
    subject: {
      key: 'emailCodeSubject',
      params: [application],
      texts: { en: 'Your code for {0}', de: 'Ihr Code für {0}' },
    },
    before: [
      { key: 'emailCodeMail', params: [code], texts: { en: 'Your code: {0}', de: 'Ihr Code: {0}' } },
      {
        key: 'emailCodeEnd',
        params: [String(LIFETIME / 60)],
        texts: {
          en: 'It is valid for {0} minutes. If it was not you, change your password.',
          de: 'Er gilt {0} Minuten lang. Wenn Sie das nicht waren, ändern Sie Ihr Passwort.',
        },
      },
    ],
    expiresIn: LIFETIME,
  };
}

/** The application's name as its users know it. A name that is a message key is replaced by the client ID. */
export function nameOf({ name, clientId }: ClientView): string {
  return name === undefined || name === '' || name.startsWith('${') ? clientId : name;
}
