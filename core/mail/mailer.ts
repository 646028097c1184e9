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
import { FAILED, failed, type MailFailure } from './mail-failure.js';
import { mailToken } from './mail-token.js';

/** A mail as it is sent. Names and subject may hold anything: what would end a header does not get into one. */
export interface Mail {
  readonly to: MailAddress;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** With its angle brackets. Default: one of the mail server's client. */
  readonly messageId?: string;
}

/** A mail that was written to a file instead of being sent. */
export interface WrittenMail {
  readonly realm: string;
  readonly file: string;
  readonly mail: Mail;
}

/** How long a mail server may take for each step, in milliseconds. */
const STEP_LIMIT_MS = 10_000;
/** How long it may take to find out whether a mail server works. */
const TRIAL_LIMIT_MS = 20_000;
/** Mails under way at once; beyond that none is taken. */
const MOST_AT_ONCE = 50;

/** Sends mails by the realm's `smtpServer`; those of realms without one go to a folder where the host has one for them. */
export class Mailer {
  readonly #mailDir: string | undefined;
  readonly #privateNetworks: PrivateNetworks;
  readonly #vault: Pick<VaultSecrets, 'secret'>;
  readonly #onWritten: (written: WrittenMail) => void;
  #underWay = 0;

  /**
   * @param options.privateNetworks where mail servers may be beside public addresses
   * @param options.vault has secrets that settings name. Default: settings hold their secrets themselves
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
   * Resolves once the mail server has taken the mail.
   * @throws HostError `email_send_failed` (500), its `cause` says why and holds no secret
   */
  send(realm: Realm, mail: Mail): Promise<void> {
    return told(() => this.#send(realm, mail));
  }

  /**
   * Sends a mail by the `smtpServer` of a representation that is not kept, in bounded time.
   * @param realm whose vaults have what it names
   * @throws HostError as `send`
   */
  tryServer(realm: Realm, representation: RealmRepresentation, mail: Mail): Promise<void> {
    return this.counted(() =>
      within(TRIAL_LIMIT_MS, async () => {
        const settings = settingsOf(readSmtpServer(representation), mail);
        if (settings === undefined) throw failed('smtpServer.host is required');
        await this.#deliver(realm, settings, mail);
      }),
    );
  }

  /** Why the realm can send no mail at all; undefined: nothing is known to be in the way. */
  problem({ name, settings: { smtpServer } }: Realm): string | undefined {
    if (smtpServer.settings === undefined && smtpServer.problems.length === 0) {
      return this.#mailDir === undefined ? `realm ${name} has no smtpServer` : undefined;
    }
    return problemOf(smtpServer);
  }

  /** Sends a mail as one of those that may be under way at once. @throws HostError as `send` */
  async counted(send: () => Promise<void>): Promise<void> {
    if (this.#underWay >= MOST_AT_ONCE) throw failed('too many emails are being sent');
    this.#underWay += 1;
    try {
      await told(send);
    } finally {
      this.#underWay -= 1;
    }
  }

  async #send(realm: Realm, mail: Mail): Promise<void> {
    const settings = settingsOf(realm.settings.smtpServer, mail);
    if (settings !== undefined) return this.#deliver(realm, settings, mail);
    if (this.#mailDir === undefined) throw failed(`realm ${realm.name} has no smtpServer`);
    const from = { name: '', address: `keyhost@${new URL(realm.issuer).hostname}` };
    await mkdir(this.#mailDir, { recursive: true, mode: 0o700 });
    const moment = new Date().toISOString().replaceAll(':', '-');
    const file = join(this.#mailDir, `${moment}-${randomBytes(4).toString('hex')}.eml`);
    await writeFile(file, await composed(headersOf(from, undefined, mail)), { mode: 0o600 });
    this.#onWritten({ realm: realm.name, file, mail });
  }

  async #deliver(realm: Realm, named: SmtpSettings, mail: Mail): Promise<void> {
    const auth = await this.#withSecret(realm, named.auth);
    const settings = { ...named, auth };
    const address = await this.#addressOf(settings);
    const token = auth?.type === 'token' ? await mailToken(auth, this.#privateNetworks, STEP_LIMIT_MS) : undefined;
    await deliver(settings, address, token, mail);
  }

  /** With the secret that a vault has, where the settings name one. */
  async #withSecret(realm: Realm, auth: SmtpSettings['auth']): Promise<SmtpSettings['auth']> {
    try {
      if (auth?.type === 'basic') return { ...auth, password: await this.#vault.secret(realm, auth.password) };
      if (auth?.type === 'token') return { ...auth, clientSecret: await this.#vault.secret(realm, auth.clientSecret) };
      return auth;
    } catch {
      // The log has the reason.
      throw failed('the secret of smtpServer cannot be read from the vault');
    }
  }

  #addressOf({ host }: SmtpSettings): Promise<string> {
    return within(STEP_LIMIT_MS, () => outboundAddress(host, this.#privateNetworks));
  }
}

async function told(send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    throw codeOf(error) === FAILED ? error : failed(reasonOf(error), kindOf(error), briefOf(error));
  }
}

/** @returns undefined for a realm without a mail server @throws HostError for one that no mail can be sent by */
function settingsOf(server: SmtpServer, mail: Mail): SmtpSettings | undefined {
  if (!isEmailAddress(mail.to.address)) throw failed('the email address of the recipient is invalid', 'final');
  const problem = problemOf(server);
  if (problem !== undefined) throw failed(problem);
  return server.settings;
}

function problemOf({ settings, problems }: SmtpServer): string | undefined {
  const [problem] = problems;
  if (problem !== undefined) return `smtpServer.${problem.key} ${problem.message}`;
  if (settings?.from.address === '') return 'smtpServer.from is required: the sender of emails';
  if (settings?.auth?.user === '') return 'smtpServer.user is required if "auth" is true';
  if (settings?.auth?.type === 'token' && !isTokenUrl(settings.auth.tokenUrl)) {
    return 'smtpServer.authTokenUrl must be the http(s) address of a token endpoint';
  }
  return undefined;
}

/** What the server said of the mail itself (RFC 5321 §4.2.1); all else is said of the server. */
function kindOf(error: unknown): MailFailure['of'] {
  const code = codeOf(error);
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return 'server';
  return Number(memberOf(error, 'responseCode')) >= 500 ? 'final' : 'mail';
}

/** A mail server's own words may be long, and are somebody else's. */
function reasonOf(error: unknown): string {
  const [code, message] = [codeOf(error), messageOf(error)];
  return `${code ?? 'error'}: ${String(message ?? error).slice(0, 300)}`;
}

/** Such as `EAUTH 535`: the step that failed, and the server's reply code. */
function briefOf(error: unknown): string {
  const reply = memberOf(error, 'responseCode');
  return [codeOf(error) ?? 'error', ...(typeof reply === 'number' ? [reply] : [])].join(' ');
}

const SILENT = { level() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {} };

/**
 * @param address of the host: it was judged, and is not looked up again
 * @param token what the server takes in place of a password
 */
async function deliver(settings: SmtpSettings, address: string, token: string | undefined, mail: Mail): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const { auth, starttls } = settings;
  let extensions = '';
  const hear = (_entry: object, line: string) => {
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
    connectionTimeout: STEP_LIMIT_MS,
    greetingTimeout: STEP_LIMIT_MS,
    socketTimeout: STEP_LIMIT_MS,
    dnsTimeout: STEP_LIMIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  if ([settings.envelopeFrom, mail.to.address].some(needsUtf8)) {
    // nodemailer would send such an address to a server that has not said that it takes it (RFC 6531 §3.2).
    const trial = createTransport({ ...options, debug: true, logger: { ...SILENT, debug: hear } });
    await trial.verify().finally(() => trial.close());
    if (!/^250[ -]SMTPUTF8\b/im.test(extensions)) {
      throw failed('the mail server does not support SMTPUTF8, which an address with letters beyond ASCII needs');
    }
  }
  const transport = createTransport(options);
  try {
    await transport.sendMail({
      ...headersOf(settings.from, settings.replyTo, mail),
      envelope: { from: settings.envelopeFrom, to: [mail.to.address] },
    });
  } finally {
    transport.close();
  }
}

async function composed(mail: ReturnType<typeof headersOf>): Promise<Buffer> {
  const { createTransport } = await import('nodemailer');
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail);
  return message as Buffer;
}

function headersOf(from: MailAddress, replyTo: MailAddress | undefined, { to, subject, text, html, messageId }: Mail) {
  return {
    from: named(from),
    to: named(to),
    ...defined({ replyTo: replyTo && named(replyTo), messageId }),
    subject: inLine(subject),
    text,
    html,
    // RFC 3834: nobody's out-of-office note answers.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

function named({ name, address }: MailAddress): { name: string; address: string } {
  return { name: inLine(name), address };
}

/** Text without line ends and other control characters, of the length that a header is read with. */
export function inLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, 200)
    .trim();
}
