import type { PluginMail } from '@keyhost/spi';

/** Words of the page that waits. */
export const PAGE = {
  title: { key: 'magicLinkTitle', texts: { en: 'Check your email', de: 'Sehen Sie in Ihre E-Mails' } },
  text: {
    key: 'magicLinkText',
    texts: {
      en: 'If {0} has an account, we have sent a link to it. Open it in this browser. If you open it in another one, select the number {1} there.',
      de: 'Wenn es für {0} ein Konto gibt, haben wir einen Link dorthin gesendet. Öffnen Sie ihn in diesem Browser. Wenn Sie ihn in einem anderen öffnen, wählen Sie dort die Zahl {1}.',
    },
  },
  notYet: {
    key: 'magicLinkNotYet',
    texts: { en: 'The link has not been opened yet.', de: 'Der Link wurde noch nicht geöffnet.' },
  },
};

/** The mail with the link. `expiresIn` is in seconds: a mail that comes later is of no use. */
export function linkMail(userId: string, application: string, url: string, expiresIn: number): PluginMail {
  const minutes = String(Math.max(1, Math.floor(expiresIn / 60)));
  return {
    to: { userId },
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
        params: [minutes],
        texts: {
          en: 'The link works once, for {0} minutes. If it was not you, ignore this email.',
          de: 'Der Link gilt einmal und {0} Minuten lang. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail.',
        },
      },
    ],
    expiresIn,
  };
}
