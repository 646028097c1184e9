import type { PluginMail } from '@keyhost/spi';

/**
 * The mail to a user. `params`: the realm, the days without a sign-in, and the first day on which the account may be
 * disabled.
 */
export function warningMail(userId: string, params: readonly [realm: string, days: string, day: string]): PluginMail {
  const [en, de] = params[1] === '1' ? ['day', 'Tag'] : ['days', 'Tagen'];
  return {
    to: { userId },
    subject: {
      key: 'scheduledCleanupSubject',
      params,
      texts: { en: 'Your account at {0} will be disabled', de: 'Ihr Konto bei {0} wird deaktiviert' },
    },
    before: [
      {
        key: 'scheduledCleanupText',
        params,
        texts: {
          en: `You have not signed in to {0} for {1} ${en}. From {2} on, your account may be disabled.`,
          de: `Sie haben sich seit {1} ${de} nicht bei {0} angemeldet. Ab dem {2} kann Ihr Konto deaktiviert werden.`,
        },
      },
      {
        key: 'scheduledCleanupEnd',
        params,
        texts: {
          en: 'To keep it, sign in once before that day.',
          de: 'Um es zu behalten, melden Sie sich vor diesem Tag einmal an.',
        },
      },
    ],
    expiresIn: 2 * 86_400,
  };
}
