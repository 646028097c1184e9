import type { Event, MailPage } from '@keyhost/spi';

/** Events that Keycloak's listener mails by default. */
export const MAILED_BY_DEFAULT: readonly string[] = [
  'LOGIN_ERROR',
  'REMOVE_CREDENTIAL',
  'REMOVE_TOTP',
  'UPDATE_CREDENTIAL',
  'UPDATE_PASSWORD',
  'UPDATE_TOTP',
];
/** Events with mail texts. */
export const MAILED_TYPES: readonly string[] = [
  ...MAILED_BY_DEFAULT,
  'USER_DISABLED_BY_PERMANENT_LOCKOUT',
  'USER_DISABLED_BY_TEMPORARY_LOCKOUT',
];

const NOT_SAID = '–';

/** The content of a mail about an event, by Keycloak's message keys, so that texts of realms and themes apply. */
export function eventMail(event: Event, locale: string): Pick<MailPage, 'subject' | 'before' | 'after'> {
  const words = `event${event.type
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')}`;
  // In UTC, because the user's time zone is unknown.
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' });
  const about = event.type.endsWith('_CREDENTIAL') ? [event.details.credential_type ?? NOT_SAID] : [];
  const params = [...about, time.format(event.time), event.ipAddress || NOT_SAID];
  return { subject: { key: `${words}Subject` }, before: [{ key: `${words}Body`, params }], after: [] };
}
