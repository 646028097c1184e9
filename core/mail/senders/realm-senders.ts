import { randomUUID } from 'node:crypto';
import { EmailSender, type EmailSenderProvider, type OutgoingMail } from '@keyhost/spi';
import { isEmailAddress } from '../../model/email-address.js';
import type { Realm } from '../../model/realm.js';
import { readMailFrom } from '../../model/smtp-settings.js';
import { messageOf } from '../../model/thrown.js';
import type { Generation } from '../../registry/generations/generation.js';
import { createProvider, type EnabledProvider } from '../../registry/generations/realm-providers.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { mailError } from '../mail-failure.js';
import { findMailProvider } from '../mail-provider.js';
import { type Mail, type Mailer, toSingleLine } from '../mailer.js';

/** Properties of a mail for its sender, in addition to the content. */
export interface SendOptions {
  readonly kind: string;
  /** The mail's ID, which is the same for every attempt. Default: a new ID. */
  readonly id?: string;
  /** The number of the attempt, beginning with 1, the default. */
  readonly attempt?: number;
}

type Sender = EnabledProvider<unknown, EmailSenderProvider>;

/** Maximum length of a plugin's error message, in characters. */
const MAX_REASON_LENGTH = 300;

/** Sends mails by the realm's `EmailSender`: a plugin's if the realm has enabled one, or else the built-in one. */
export class RealmSenders {
  readonly #mailer: Pick<Mailer, 'problem' | 'withConcurrencyLimit'>;

  constructor(mailer: Pick<Mailer, 'problem' | 'withConcurrencyLimit'>) {
    this.#mailer = mailer;
  }

  /**
   * Sends a mail. Resolves once the sender has accepted it.
   * @throws HostError `email_send_failed` (500); its `cause` has the reason, without secrets
   */
  send(session: HostSession, mail: Mail, options: SendOptions): Promise<void> {
    return this.#mailer.withConcurrencyLimit(async () => {
      const sender = this.#requireSender(session.generation, session.compiledRealm);
      const { builtin } = sender.registered.plugin;
      const outgoing = createOutgoingMail(session.compiledRealm, mail, options, builtin);
      if (builtin) await createProvider(sender, session).send(outgoing);
      else await sendByPlugin(session, sender, outgoing);
    });
  }

  /** Returns the reason why the realm cannot send mails; undefined if none is known. */
  problem({ generation, compiledRealm: realm }: HostSession): string | undefined {
    try {
      const { registered } = this.#requireSender(generation, realm);
      return registered.plugin.builtin ? this.#mailer.problem(realm) : undefined;
    } catch (error) {
      return messageOf((error as Error).cause ?? error);
    }
  }

  /** True if a plugin sends the realm's mails, or if the realm's sender cannot be determined. */
  usesPlugin({ generation, compiledRealm: realm }: HostSession): boolean {
    try {
      return !this.#requireSender(generation, realm).registered.plugin.builtin;
    } catch {
      return true;
    }
  }

  /**
   * Returns the realm's sender.
   * @throws HostError like `send`
   */
  #requireSender(generation: Generation, realm: Realm): Sender {
    const { plugin, builtIn } = findMailProvider(EmailSender, generation, realm);
    const sender = plugin ?? builtIn;
    if (sender === undefined) throw mailError(`realm ${realm.name} has no email sender enabled`);
    return sender;
  }
}

function createOutgoingMail(
  realm: Realm,
  mail: Mail,
  { kind, id, attempt = 1 }: SendOptions,
  builtin: boolean,
): OutgoingMail {
  const { to } = mail;
  if (!builtin && !isEmailAddress(to.address))
    throw mailError('the email address of the recipient is invalid', 'final');
  const { from, replyTo, problem } = readMailFrom(realm.representation);
  if (!builtin && problem !== undefined) throw mailError(`smtpServer.${problem.key} ${problem.message}`);
  const cleanAddress = (party: typeof from) => party && { name: toSingleLine(party.name), address: party.address };
  return {
    to: { name: toSingleLine(to.name), address: to.address },
    from: cleanAddress(from),
    replyTo: cleanAddress(replyTo),
    subject: toSingleLine(mail.subject),
    text: mail.text,
    html: mail.html,
    messageId: `<${id ?? randomUUID()}@${new URL(realm.issuer).hostname}>`,
    kind,
    attempt,
  };
}

async function sendByPlugin(session: HostSession, sender: Sender, mail: OutgoingMail): Promise<void> {
  const { id, plugin } = sender.registered;
  const providerName = `${EmailSender.id}/${id}`;
  let outcome: Awaited<ReturnType<EmailSenderProvider['send']>>;
  try {
    outcome = await session.withTimeLimit(createProvider(sender, session).send(mail));
  } catch (error) {
    const reason = String(messageOf(error)).slice(0, MAX_REASON_LENGTH);
    // The error may contain texts of a service that the realm's admins must not read, so give them a brief reason.
    throw mailError(`${plugin.name}: ${providerName}: ${reason}`, 'server', `${providerName} failed`);
  }
  if (outcome.outcome === 'refused') {
    const reason = `${providerName} refused: ${toSingleLine(outcome.reason.slice(0, MAX_REASON_LENGTH))}`;
    throw mailError(reason, outcome.final === true ? 'final' : 'mail');
  }
  const { realm, logger } = session;
  logger.debug('mail taken', { plugin: plugin.name, realm: realm.name, message: mail.messageId, id: outcome.id ?? '' });
}
