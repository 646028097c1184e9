import type { ClientView, MailRecipient, PluginMail } from '@keyhost/spi';

/** Texts of the page that waits for the link. */
export const PAGE = {
  title: { key: 'magicLinkTitle', texts: { en: 'Check your email', de: 'Sehen Sie in Ihre E-Mails' } },
  text: {
    key: 'magicLinkText',
    texts: {
      en: 'If {0} belongs to an account, you get an email with a link. Open the link in this browser. If you open it in another one, select the number {1} there.',
      de: 'Wenn {0} zu einem Konto gehört, erhalten Sie eine E-Mail mit einem Link. Öffnen Sie den Link in diesem Browser. Wenn Sie ihn in einem anderen öffnen, wählen Sie dort die Zahl {1}.',
    },
  },
  again: {
    key: 'magicLinkAgain',
    texts: { en: 'Send me a new link', de: 'Neuen Link senden' },
  },
  sentAgain: {
    key: 'magicLinkSentAgain',
    severity: 'info' as const,
    texts: {
      en: 'You get a new link. The old one is no longer valid.',
      de: 'Sie erhalten einen neuen Link. Der alte gilt nicht mehr.',
    },
  },
  tooMany: {
    key: 'magicLinkTooMany',
    texts: {
      en: 'No further email was sent just now: too many were asked for. Try again in an hour.',
      de: 'Es wurde jetzt keine weitere E-Mail gesendet: Es wurden zu viele angefordert. Versuchen Sie es in einer Stunde erneut.',
    },
  },
  notSent: {
    key: 'magicLinkNotSent',
    texts: {
      en: 'No email can be sent just now. Try again later.',
      de: 'Zurzeit kann keine E-Mail gesendet werden. Versuchen Sie es später noch einmal.',
    },
  },
  notYet: {
    key: 'magicLinkNotYet',
    texts: { en: 'You have not used the link yet.', de: 'Sie haben den Link noch nicht benutzt.' },
  },
};

/** The mail with the link. `expiresIn` is in seconds; a mail delivered after that is useless. */
export function linkMail(to: MailRecipient, application: string, url: string, expiresIn: number): PluginMail {
  return {
    to,
    subject: {
      key: 'magicLinkSubject',
      params: [application],
      texts: { en: 'Sign in to {0}', de: 'Anmelden bei {0}' },
    },
    before: [
      {
        key: 'magicLinkMail',
        params: [application],
        texts: {
          en: 'Somebody wants to sign in to {0} with this address.',
          de: 'Jemand möchte sich mit dieser Adresse bei {0} anmelden.',
        },
      },
    ],
    link: { label: { key: 'magicLinkLabel', texts: { en: 'Sign in', de: 'Anmelden' } }, url },
    after: [
      {
        key: 'magicLinkEnd',
        // In minutes, for texts of a realm, and in seconds.
        params: [String(Math.max(1, Math.floor(expiresIn / 60))), String(expiresIn)],
        texts: {
          en: 'The link works once, for {1,duration}. If it was not you, ignore this email.',
          de: 'Der Link gilt einmal und {1,duration} lang. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail.',
        },
      },
    ],
    expiresIn,
  };
}

/** The application's name as its users know it. A name that is a message key is replaced by the client ID. */
export function nameOf({ name, clientId }: ClientView): string {
  return name === undefined || name === '' || name.startsWith('${') ? clientId : name;
}
