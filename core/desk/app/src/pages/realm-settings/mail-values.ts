import type { MailServer } from '../../api/realm-settings.ts';

const TEXTS = [
  ...(['from', 'fromDisplayName', 'replyTo', 'replyToDisplayName', 'envelopeFrom', 'host', 'port'] as const),
  ...(['user', 'password', 'authTokenUrl', 'authTokenScope', 'authTokenClientId', 'authTokenClientSecret'] as const),
];

/** How the host signs in to the mail server: Keycloak's `auth` and `authType`. */
export type MailAuth = 'none' | 'basic' | 'token';

/** What the form of the mail server holds. */
export interface MailValues extends Readonly<Record<(typeof TEXTS)[number], string>> {
  readonly ssl: boolean;
  readonly starttls: boolean;
  readonly authentication: MailAuth;
}

export function mailValuesOf(server: MailServer): MailValues {
  // Files may have numbers and booleans.
  const text = (name: string) => String(server[name] ?? '');
  const type = text('authType') === 'token' ? 'token' : 'basic';
  return {
    ...(Object.fromEntries(TEXTS.map((name) => [name, text(name)])) as Record<(typeof TEXTS)[number], string>),
    ssl: text('ssl') === 'true',
    starttls: text('starttls') === 'true',
    authentication: text('auth') === 'true' ? type : 'none',
  };
}

/** The mail server with these values: what the form does not know of it stays, and what is empty is left out. */
export function mailServerOf(values: MailValues, before: MailServer): MailServer {
  const { authentication, ssl, starttls, ...texts } = values;
  const stored = Object.fromEntries(Object.entries(before).map(([name, value]) => [name, String(value)]));
  // A switch that nobody has touched stays absent: the host would take it for another server.
  const flag = (name: string, isOn: boolean) => (isOn ? 'true' : stored[name] === undefined ? '' : 'false');
  const all = {
    ...stored,
    ...texts,
    ssl: flag('ssl', ssl),
    starttls: flag('starttls', starttls),
    auth: flag('auth', authentication !== 'none'),
    authType: authentication === 'none' ? (stored.authType ?? '') : authentication,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}
