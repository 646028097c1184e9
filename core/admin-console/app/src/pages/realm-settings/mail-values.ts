import type { MailServer } from '../../api/realm-settings.ts';

const TEXTS = [
  ...(['from', 'fromDisplayName', 'replyTo', 'replyToDisplayName', 'envelopeFrom', 'host', 'port'] as const),
  ...(['user', 'password', 'authTokenUrl', 'authTokenScope', 'authTokenClientId', 'authTokenClientSecret'] as const),
];

/** The type of authentication at the mail server: Keycloak's `auth` and `authType`. */
export type MailAuth = 'none' | 'basic' | 'token';

/** The values of the mail server's form. */
export interface MailValues extends Readonly<Record<(typeof TEXTS)[number], string>> {
  readonly ssl: boolean;
  readonly starttls: boolean;
  readonly authentication: MailAuth;
}

export function mailValuesOf(server: MailServer): MailValues {
  // Realm files may contain numbers and booleans.
  const text = (name: string) => String(server[name] ?? '');
  const type = text('authType') === 'token' ? 'token' : 'basic';
  return {
    ...(Object.fromEntries(TEXTS.map((name) => [name, text(name)])) as Record<(typeof TEXTS)[number], string>),
    ssl: text('ssl') === 'true',
    starttls: text('starttls') === 'true',
    authentication: text('auth') === 'true' ? type : 'none',
  };
}

/** The mail server with these values. Members without a field in the form stay, and empty members are left out. */
export function mailServerOf(values: MailValues, before: MailServer): MailServer {
  const { authentication, ssl, starttls, ...texts } = values;
  const stored = Object.fromEntries(Object.entries(before).map(([name, value]) => [name, String(value)]));
  // An untouched switch stays absent: the host would otherwise see a different server.
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
