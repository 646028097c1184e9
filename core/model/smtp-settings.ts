import { isEmailAddress } from './email-address.js';
import type { RealmRepresentation } from './representation.js';

/** The parsed `smtpServer` of a realm. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** If true, the connection uses TLS from the first byte. */
  readonly ssl: boolean;
  /** If true, STARTTLS is required: without it no mail is sent. */
  readonly starttls: boolean;
  readonly auth: SmtpPasswordAuth | SmtpTokenAuth | undefined;
  /** The sender. Its address is empty if the realm sets none; then no mail can be sent. */
  readonly from: MailAddress;
  readonly replyTo: MailAddress | undefined;
  /** The address that receives bounces. */
  readonly envelopeFrom: string;
}

export interface SmtpPasswordAuth {
  readonly type: 'basic';
  /** Empty if the realm declares none; then no mail can be sent. */
  readonly user: string;
  readonly password: string;
}

/** Keycloak's `authType: token`: authentication at the mail server by an access token of the user (XOAUTH2). */
export interface SmtpTokenAuth {
  readonly type: 'token';
  readonly user: string;
  /** Not validated, as in Keycloak. If it is not an http(s) address, no mail can be sent. */
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

/**
 * The parsed mail server of a realm, and the problems of its settings. `settings` is undefined if the realm has none.
 */
export interface SmtpServer {
  readonly settings: SmtpSettings | undefined;
  readonly problems: readonly SmtpProblem[];
}

const INVALID_ADDRESS = 'must be one e-mail address without a name';

/**
 * Reads the sender and the reply address of the realm's mails. They are also used without a mail server, because a
 * plugin may send the mails.
 */
export function readMailFrom({ smtpServer }: Pick<RealmRepresentation, 'smtpServer'>): {
  readonly from: MailAddress | undefined;
  readonly replyTo: MailAddress | undefined;
  readonly problem: SmtpProblem | undefined;
} {
  const config = (smtpServer ?? {}) as Readonly<Record<string, unknown>>;
  const text = (key: string) => String(config[key] ?? '').trim();
  const parseAddress = (address: string, name: string) =>
    text(address) === '' ? undefined : { name: text(name), address: text(address) };
  const invalidKey = ['from', 'replyTo'].find((key) => text(key) !== '' && !isEmailAddress(text(key)));
  return {
    from: parseAddress('from', 'fromDisplayName'),
    replyTo: parseAddress('replyTo', 'replyToDisplayName'),
    problem: invalidKey === undefined ? undefined : { key: invalidKey, message: INVALID_ADDRESS },
  };
}

/** True for an http(s) URL, from which tokens for a mail server can be requested. */
export function isTokenUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/**
 * Reads the realm's mail server. Values are strings, as Keycloak exports them; numbers and booleans are also accepted.
 */
export function readSmtpServer({ smtpServer }: RealmRepresentation): SmtpServer {
  const problems: SmtpProblem[] = [];
  const addProblem = (key: string, message: string) => problems.push({ key, message });
  const config = (smtpServer ?? {}) as Readonly<Record<string, unknown>>;
  const text = (key: string) => String(config[key] ?? '').trim();
  const isTrue = (key: string) => text(key) === 'true';
  const host = text('host');
  if (host === '') return { settings: undefined, problems };
  const ssl = isTrue('ssl');
  const port = text('port') === '' ? (ssl ? 465 : 25) : Number(text('port'));
  if (!Number.isInteger(port) || port < 1 || port > 65535) addProblem('port', 'must be a port from 1 to 65535');
  for (const key of ['from', 'replyTo', 'envelopeFrom']) {
    if (text(key) !== '' && !isEmailAddress(text(key))) addProblem(key, INVALID_ADDRESS);
  }
  const type = text('authType') || 'basic';
  if (isTrue('auth') && type !== 'basic' && type !== 'token') addProblem('authType', 'must be "basic" or "token"');
  const parseAuth = (): SmtpPasswordAuth | SmtpTokenAuth => {
    const user = text('user');
    if (type !== 'token') return { type: 'basic', user, password: String(config.password ?? '') };
    const tokenUrl = text('authTokenUrl');
    const scope = text('authTokenScope');
    const clientId = text('authTokenClientId');
    return { type, user, tokenUrl, scope, clientId, clientSecret: String(config.authTokenClientSecret ?? '') };
  };
  const settings = {
    host,
    port,
    ssl,
    starttls: isTrue('starttls'),
    auth: isTrue('auth') ? parseAuth() : undefined,
    from: { name: text('fromDisplayName'), address: text('from') },
    replyTo: text('replyTo') === '' ? undefined : { name: text('replyToDisplayName'), address: text('replyTo') },
    envelopeFrom: text('envelopeFrom') || text('from'),
  };
  return { settings, problems };
}
