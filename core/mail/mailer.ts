import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { outboundAddress } from '../keys/outbound/outbound-request.js';
import { defined } from '../model/defined.js';
import { isEmailAddress, needsUtf8 } from '../model/email-address.js';
import type { PrivateNetworks } from '../model/private-networks.js';
import type { Realm } from '../model/realm.js';
import type { RealmRepresentation } from '../model/representation.js';
import {
  isTokenUrl,
  type MailAddress,
  readSmtpServer,
  type SmtpServer,
  type SmtpSettings,
} from '../model/smtp-settings.js';
import { codeOf, memberOf, messageOf } from '../model/thrown.js';
import { within } from '../registry/sessions/time-limit.js';
import type { VaultSecrets } from '../vault/vault-secrets.js';
import { EMAIL_SEND_FAILED, type MailFailure, mailError } from './mail-failure.js';
import { requestMailToken } from './mail-token.js';

/** A mail to send. Names and subject may contain any characters; those that would end a header are removed. */
export interface Mail {
  readonly to: MailAddress;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The Message-ID header, with its angle brackets. Default: the SMTP client generates it. */
  readonly messageId?: string;
}

/** A mail that was written to a file instead of being sent. */
export interface WrittenMail {
  readonly realm: string;
  readonly file: string;
  readonly mail: Mail;
}

/** Timeout of each step of sending a mail, in milliseconds. */
const STEP_TIMEOUT_MS = 10_000;
/** Timeout of a mail server's test, in milliseconds. */
const TEST_TIMEOUT_MS = 20_000;
/** Maximum number of mails that are sent at the same time. Further mails are rejected. */
const MAX_CONCURRENT_MAILS = 50;

/**
 * Sends mails by the realm's `smtpServer`. If the realm has none, but the host has a folder for mails, it writes the
 * mails there.
 */
export class Mailer {
  readonly #mailDir: string | undefined;
  readonly #privateNetworks: PrivateNetworks;
  readonly #vault: Pick<VaultSecrets, 'secret'>;
  readonly #onWritten: (written: WrittenMail) => void;
  #runningCount = 0;

  /**
   * @param options.privateNetworks networks that mail servers may be in, in addition to public addresses
   * @param options.vault resolves secrets that settings refer to. Default: settings contain their secrets
   */
  constructor(options: {
    mailDir: string | undefined;
    privateNetworks: PrivateNetworks;
    vault?: Pick<VaultSecrets, 'secret'>;
    onWritten?: ((written: WrittenMail) => void) | undefined;
  }) {
    this.#mailDir = options.mailDir;
    this.#privateNetworks = options.privateNetworks;
    this.#vault = options.vault ?? { secret: async (_, setting) => setting };
    this.#onWritten = options.onWritten ?? (() => {});
  }

  /**
   * Sends a mail. Resolves once the mail server has accepted it.
   * @throws HostError `email_send_failed` (500); its `cause` has the reason, without secrets
   */
  send(realm: Realm, mail: Mail): Promise<void> {
    return withMailErrors(() => this.#send(realm, mail));
  }

  /**
   * Sends a mail by the `smtpServer` of an unsaved representation, with a timeout.
   * @param realm the realm whose vaults are used
   * @throws HostError like `send`
   */
  tryServer(realm: Realm, representation: RealmRepresentation, mail: Mail): Promise<void> {
    return this.withConcurrencyLimit(() =>
      within(TEST_TIMEOUT_MS, async () => {
        const settings = validateSettings(readSmtpServer(representation), mail);
        if (settings === undefined) throw mailError('smtpServer.host is required');
        await this.#deliver(realm, settings, mail);
      }),
    );
  }

  /** Returns the reason why the realm cannot send mails; undefined if none is known. */
  problem({ name, settings: { smtpServer } }: Realm): string | undefined {
    if (smtpServer.settings === undefined && smtpServer.problems.length === 0) {
      return this.#mailDir === undefined ? `realm ${name} has no smtpServer` : undefined;
    }
    return findProblem(smtpServer);
  }

  /**
   * Sends a mail within the limit of concurrent mails.
   * @throws HostError like `send`
   */
  async withConcurrencyLimit(send: () => Promise<void>): Promise<void> {
    if (this.#runningCount >= MAX_CONCURRENT_MAILS) throw mailError('too many emails are being sent');
    this.#runningCount += 1;
    try {
      await withMailErrors(send);
    } finally {
      this.#runningCount -= 1;
    }
  }

  async #send(realm: Realm, mail: Mail): Promise<void> {
    const settings = validateSettings(realm.settings.smtpServer, mail);
    if (settings !== undefined) return this.#deliver(realm, settings, mail);
    if (this.#mailDir === undefined) throw mailError(`realm ${realm.name} has no smtpServer`);
    const from = { name: '', address: `keyhost@${new URL(realm.issuer).hostname}` };
    await mkdir(this.#mailDir, { recursive: true, mode: 0o700 });
    const timestamp = new Date().toISOString().replaceAll(':', '-');
    const file = join(this.#mailDir, `${timestamp}-${randomBytes(4).toString('hex')}.eml`);
    await writeFile(file, await composeMail(messageOptions(from, undefined, mail)), { mode: 0o600 });
    this.#onWritten({ realm: realm.name, file, mail });
  }

  async #deliver(realm: Realm, configured: SmtpSettings, mail: Mail): Promise<void> {
    const auth = await this.#withSecret(realm, configured.auth);
    const settings = { ...configured, auth };
    const address = await this.#resolveHost(settings);
    const token =
      auth?.type === 'token' ? await requestMailToken(auth, this.#privateNetworks, STEP_TIMEOUT_MS) : undefined;
    await deliver(settings, address, token, mail);
  }

  /** Resolves the secret from a vault, if the settings refer to one. */
  async #withSecret(realm: Realm, auth: SmtpSettings['auth']): Promise<SmtpSettings['auth']> {
    try {
      if (auth?.type === 'basic') return { ...auth, password: await this.#vault.secret(realm, auth.password) };
      if (auth?.type === 'token') return { ...auth, clientSecret: await this.#vault.secret(realm, auth.clientSecret) };
      return auth;
    } catch {
      // The reason is logged already.
      throw mailError('the secret of smtpServer cannot be read from the vault');
    }
  }

  #resolveHost({ host }: SmtpSettings): Promise<string> {
    return within(STEP_TIMEOUT_MS, () => outboundAddress(host, this.#privateNetworks));
  }
}

async function withMailErrors(send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    throw codeOf(error) === EMAIL_SEND_FAILED
      ? error
      : mailError(formatReason(error), failureScope(error), formatReplyCode(error));
  }
}

/**
 * Returns the settings of a mail server; undefined if the realm has none.
 * @throws HostError if the settings or the recipient's address are invalid
 */
function validateSettings(server: SmtpServer, mail: Mail): SmtpSettings | undefined {
  if (!isEmailAddress(mail.to.address)) throw mailError('the email address of the recipient is invalid', 'final');
  const problem = findProblem(server);
  if (problem !== undefined) throw mailError(problem);
  return server.settings;
}

function findProblem({ settings, problems }: SmtpServer): string | undefined {
  const [problem] = problems;
  if (problem !== undefined) return `smtpServer.${problem.key} ${problem.message}`;
  if (settings?.from.address === '') return 'smtpServer.from is required: the sender of emails';
  if (settings?.auth?.user === '') return 'smtpServer.user is required if "auth" is true';
  if (settings?.auth?.type === 'token' && !isTokenUrl(settings.auth.tokenUrl)) {
    return 'smtpServer.authTokenUrl must be the http(s) address of a token endpoint';
  }
  return undefined;
}

/** Returns whether the server rejected only this mail (RFC 5321 §4.2.1). All other errors concern the server. */
function failureScope(error: unknown): MailFailure['scope'] {
  const code = codeOf(error);
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return 'server';
  return Number(memberOf(error, 'responseCode')) >= 500 ? 'final' : 'mail';
}

/** Formats the reason of an error. It is shortened, because the mail server's text may be long and is untrusted. */
function formatReason(error: unknown): string {
  const code = codeOf(error);
  const message = messageOf(error);
  return `${code ?? 'error'}: ${String(message ?? error).slice(0, 300)}`;
}

/** Returns the failed step and the server's reply code, for example `EAUTH 535`. */
function formatReplyCode(error: unknown): string {
  const reply = memberOf(error, 'responseCode');
  return [codeOf(error) ?? 'error', ...(typeof reply === 'number' ? [reply] : [])].join(' ');
}

const SILENT_LOGGER = { level() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {} };

/**
 * Sends a mail to a server.
 * @param address the server's IP address, already checked, so that the host is not looked up again
 * @param token the access token that the server accepts in place of a password
 */
async function deliver(settings: SmtpSettings, address: string, token: string | undefined, mail: Mail): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const { auth, starttls } = settings;
  let extensions = '';
  const collectLine = (_entry: object, line: string) => {
    extensions += `${line}\n`;
  };
  const options = {
    host: address,
    ...(isIP(settings.host) === 0 ? { servername: settings.host } : {}),
    port: settings.port,
    secure: settings.ssl,
    requireTLS: starttls,
    ignoreTLS: !starttls,
    ...(auth?.type === 'basic' ? { auth: { user: auth.user, pass: auth.password } } : {}),
    ...(auth?.type === 'token' ? { auth: { type: 'OAuth2' as const, user: auth.user, accessToken: token } } : {}),
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    dnsTimeout: STEP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  if ([settings.envelopeFrom, mail.to.address].some(needsUtf8)) {
    // nodemailer would send this address to a server that does not announce support (RFC 6531 §3.2), so check first.
    const probe = createTransport({ ...options, debug: true, logger: { ...SILENT_LOGGER, debug: collectLine } });
    await probe.verify().finally(() => probe.close());
    if (!/^250[ -]SMTPUTF8\b/im.test(extensions)) {
      throw mailError('the mail server does not support SMTPUTF8, which an address with letters beyond ASCII needs');
    }
  }
  const transport = createTransport(options);
  try {
    await transport.sendMail({
      ...messageOptions(settings.from, settings.replyTo, mail),
      envelope: { from: settings.envelopeFrom, to: [mail.to.address] },
    });
  } finally {
    transport.close();
  }
}

async function composeMail(mail: ReturnType<typeof messageOptions>): Promise<Buffer> {
  const { createTransport } = await import('nodemailer');
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail);
  return message as Buffer;
}

function messageOptions(
  from: MailAddress,
  replyTo: MailAddress | undefined,
  { to, subject, text, html, messageId }: Mail,
) {
  return {
    from: cleanAddress(from),
    to: cleanAddress(to),
    ...defined({ replyTo: replyTo && cleanAddress(replyTo), messageId }),
    subject: toSingleLine(subject),
    text,
    html,
    // RFC 3834: prevents automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

function cleanAddress({ name, address }: MailAddress): { name: string; address: string } {
  return { name: toSingleLine(name), address };
}

/** Returns the text without line breaks and control characters, shortened for a header. */
export function toSingleLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, 200)
    .trim();
}
