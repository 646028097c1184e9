import type { RealmRepresentation } from '../model/representation.js';

/** Keycloak's `smtpServer` of a realm, read. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly ssl: boolean;
  /** TLS by STARTTLS, or no mail. */
  readonly starttls: boolean;
  readonly auth: { readonly user: string; readonly password: string } | undefined;
  /** Its address is empty where the realm names none: then no mail can be sent. */
  readonly from: MailAddress;
  readonly replyTo: MailAddress | undefined;
  /** The address that bounces go to. */
  readonly envelopeFrom: string;
}

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

export interface SmtpProblem {
  readonly key: string;
  readonly message: string;
}

const ATOM = '[^\\s@<>()\\[\\],;:"\\\\\\p{Cc}\\p{Zl}\\p{Zp}]';
const ADDRESS = new RegExp(`^${ATOM}{1,64}@${ATOM}{1,255}$`, 'u');

/** One address, without a name and without what mail headers and SMTP commands give a meaning to. */
export function isMailAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/**
 * The realm's mail server; undefined when it names none. Values are texts, as Keycloak exports them; numbers and booleans
 * are read too.
 */
export function readSmtpServer({ smtpServer }: RealmRepresentation): {
  settings: SmtpSettings | undefined;
  problems: readonly SmtpProblem[];
} {
  const problems: SmtpProblem[] = [];
  const complain = (key: string, message: string) => problems.push({ key, message });
  const given = (smtpServer ?? {}) as Readonly<Record<string, unknown>>;
  const text = (key: string) => String(given[key] ?? '').trim();
  const flag = (key: string) => text(key) === 'true';
  const host = text('host');
  if (host === '') return { settings: undefined, problems };
  const ssl = flag('ssl');
  const port = text('port') === '' ? (ssl ? 465 : 25) : Number(text('port'));
  if (!Number.isInteger(port) || port < 1 || port > 65535) complain('port', 'must be a port from 1 to 65535');
  for (const key of ['from', 'replyTo', 'envelopeFrom']) {
    if (text(key) !== '' && !isMailAddress(text(key))) complain(key, 'must be one e-mail address without a name');
  }
  if (flag('auth') && text('user') === '') complain('user', 'is needed where "auth" is true');
  if (flag('auth') && !['', 'basic'].includes(text('authType'))) {
    complain('authType', 'is not supported: "basic" is, with user and password');
  }
  const settings = {
    host,
    port,
    ssl,
    starttls: flag('starttls'),
    auth: flag('auth') ? { user: text('user'), password: String(given.password ?? '') } : undefined,
    from: { name: text('fromDisplayName'), address: text('from') },
    replyTo: text('replyTo') === '' ? undefined : { name: text('replyToDisplayName'), address: text('replyTo') },
    envelopeFrom: text('envelopeFrom') || text('from'),
  };
  return { settings, problems };
}
