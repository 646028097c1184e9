import type { ClientView, PluginMail } from '@keyhost/spi';

/** The mail to a user. `params`: the application, the time, the address, and the browser. */
export function noticeMail(userId: string, params: readonly string[]): PluginMail {
  return {
    to: { userId },
    subject: { key: 'loginNoticeSubject', params, texts: { en: 'New sign-in to {0}', de: 'Neue Anmeldung bei {0}' } },
    before: [
      {
        key: 'loginNoticeText',
        params,
        texts: {
          en: 'Somebody signed in to {0} with your account from a device or network that we do not know.',
          de: 'Jemand hat sich mit Ihrem Konto bei {0} angemeldet, von einem Gerät oder Netz, das wir nicht kennen.',
        },
      },
      { key: 'loginNoticeWhen', params, texts: { en: 'Time: {1}', de: 'Zeit: {1}' } },
      { key: 'loginNoticeWhere', params, texts: { en: 'Address: {2}', de: 'Adresse: {2}' } },
      { key: 'loginNoticeBrowser', params, texts: { en: 'Browser: {3}', de: 'Browser: {3}' } },
    ],
    after: [
      {
        key: 'loginNoticeEnd',
        params,
        texts: {
          en: 'If it was you, there is nothing to do. If not, change your password now.',
          de: 'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, ändern Sie jetzt Ihr Passwort.',
        },
      },
    ],
  };
}

/** The application's name as its users know it. A name that is a message key is replaced by the client ID. */
export function nameOf({ name, clientId }: ClientView): string {
  return name === undefined || name === '' || name.startsWith('${') ? clientId : name;
}
