import type { Event, MailPage } from '@keyhost/spi';

/** Event types that Keycloak's listener mails by default. */
export const DEFAULT_EVENT_TYPES: readonly string[] = [
  'LOGIN_ERROR',
  'REMOVE_CREDENTIAL',
  'REMOVE_TOTP',
  'UPDATE_CREDENTIAL',
  'UPDATE_PASSWORD',
  'UPDATE_TOTP',
];
/** All event types that have mail texts. */
export const SUPPORTED_EVENT_TYPES: readonly string[] = [
  ...DEFAULT_EVENT_TYPES,
  'USER_DISABLED_BY_PERMANENT_LOCKOUT',
  'USER_DISABLED_BY_TEMPORARY_LOCKOUT',
];

const UNKNOWN_VALUE = '–';

/**
 * Creates the content of a mail about an event. It uses Keycloak's message keys, so that texts of realms and themes
 * apply.
 */
export function eventMail(event: Event, locale: string): Pick<MailPage, 'subject' | 'before' | 'after'> {
  const keyPrefix = `event${event.type
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')}`;
  // In UTC, because the user's time zone is unknown.
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', timeZone: 'UTC' });
  const credentialParams = event.type.endsWith('_CREDENTIAL') ? [event.details.credential_type ?? UNKNOWN_VALUE] : [];
  const params = [...credentialParams, time.format(event.time), event.ipAddress || UNKNOWN_VALUE];
  return { subject: { key: `${keyPrefix}Subject` }, before: [{ key: `${keyPrefix}Body`, params }], after: [] };
}
