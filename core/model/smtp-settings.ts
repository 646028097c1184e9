import { isEmailAddress } from './email-address.js';
import type { RealmRepresentation } from './representation.js';

/** Keycloak's `smtpServer` of a realm, read. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. */
  readonly ssl: boolean;
  /** TLS by STARTTLS, or no mail. */
  readonly starttls: boolean;
  readonly auth: SmtpPasswordAuth | SmtpTokenAuth | undefined;
  /** Empty if the realm declares none; then no mail can be sent. */
  readonly from: MailAddress;
  readonly replyTo: MailAddress | undefined;
  /** The address that bounces go to. */
  readonly envelopeFrom: string;
}

export interface SmtpPasswordAuth {
  readonly type: 'basic';
  /** Empty if the realm declares none; then no mail can be sent. */
  readonly user: string;
  readonly password: string;
}

/** Keycloak's `authType: token`: the server takes an access token of the user (XOAUTH2). */
export interface SmtpTokenAuth {
  readonly type: 'token';
  readonly user: string;
  /** Unchecked, as in Keycloak. If it is no http(s) address, no mail can be sent. */
  readonly tokenUrl: string;
  readonly scope: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

export interface SmtpProblem {
  readonly key: string;
  readonly message: string;
}

/** A realm's mail server as it is read; undefined when it names none. */
export interface SmtpServer {
  readonly settings: SmtpSettings | undefined;
  readonly problems: readonly SmtpProblem[];
}

const ONE_ADDRESS = 'must be one e-mail address without a name';

/**
 * Sender and reply address of the realm's mails. They also apply if the realm has no mail server, because a plugin then
 * sends the mails.
 */
export function readMailFrom({ smtpServer }: Pick<RealmRepresentation, 'smtpServer'>): {
  readonly from: MailAddress | undefined;
  readonly replyTo: MailAddress | undefined;
  readonly problem: SmtpProblem | undefined;
} {
  const given = (smtpServer ?? {}) as Readonly<Record<string, unknown>>;
  const text = (key: string) => String(given[key] ?? '').trim();
  const party = (address: string, name: string) =>
    text(address) === '' ? undefined : { name: text(name), address: text(address) };
  const wrong = ['from', 'replyTo'].find((key) => text(key) !== '' && !isEmailAddress(text(key)));
  return {
    from: party('from', 'fromDisplayName'),
    replyTo: party('replyTo', 'replyToDisplayName'),
    problem: wrong === undefined ? undefined : { key: wrong, message: ONE_ADDRESS },
  };
}

/** Whether tokens for a mail server can be had there. */
export function isTokenUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/**
 * The realm's mail server; undefined if it declares none. Values are texts, as Keycloak exports them; numbers and
 * booleans are accepted too.
 */
export function readSmtpServer({ smtpServer }: RealmRepresentation): SmtpServer {
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
    if (text(key) !== '' && !isEmailAddress(text(key))) complain(key, ONE_ADDRESS);
  }
  const type = text('authType') || 'basic';
  if (flag('auth') && type !== 'basic' && type !== 'token') complain('authType', 'must be "basic" or "token"');
  const auth = (): SmtpPasswordAuth | SmtpTokenAuth => {
    const user = text('user');
    if (type !== 'token') return { type: 'basic', user, password: String(given.password ?? '') };
    const tokenUrl = text('authTokenUrl');
    const scope = text('authTokenScope');
    const clientId = text('authTokenClientId');
    return { type, user, tokenUrl, scope, clientId, clientSecret: String(given.authTokenClientSecret ?? '') };
  };
  const settings = {
    host,
    port,
    ssl,
    starttls: flag('starttls'),
    auth: flag('auth') ? auth() : undefined,
    from: { name: text('fromDisplayName'), address: text('from') },
    replyTo: text('replyTo') === '' ? undefined : { name: text('replyToDisplayName'), address: text('replyTo') },
    envelopeFrom: text('envelopeFrom') || text('from'),
  };
  return { settings, problems };
}
