import { randomUUID } from 'node:crypto';
import { EmailSender, type EmailSenderProvider, type OutgoingMail } from '@keyhost/spi';
import { isEmailAddress } from '../../model/email-address.js';
import type { Realm } from '../../model/realm.js';
import { readMailFrom } from '../../model/smtp-settings.js';
import { messageOf } from '../../model/thrown.js';
import type { Generation } from '../../registry/generations/generation.js';
import { createProvider, type EnabledProvider } from '../../registry/generations/realm-providers.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { failed } from '../mail-failure.js';
import { mailProviderOf } from '../mail-provider.js';
import { inLine, type Mail, type Mailer } from '../mailer.js';

/** Properties of a mail for its sender, in addition to the content. */
export interface Sending {
  readonly kind: string;
  /** The same for every attempt. Default: a new one. */
  readonly id?: string;
  /** From 1, the default. */
  readonly attempt?: number;
}

type Sender = EnabledProvider<unknown, EmailSenderProvider>;

/** Maximum length of a plugin's reason in errors, in characters. */
const REASON_LIMIT = 300;

/** Sends mails by the `EmailSender` of their realm: a plugin's if the realm has enabled one, else the built-in one. */
export class RealmSenders {
  readonly #mailer: Pick<Mailer, 'problem' | 'counted'>;

  constructor(mailer: Pick<Mailer, 'problem' | 'counted'>) {
    this.#mailer = mailer;
  }

  /**
   * Resolves once the sender has accepted the mail.
   * @throws HostError `email_send_failed` (500); its `cause` has the reason, without secrets
   */
  send(session: HostSession, mail: Mail, sending: Sending): Promise<void> {
    return this.#mailer.counted(async () => {
      const sender = this.#senderOf(session.generation, session.compiledRealm);
      const { builtin } = sender.registered.plugin;
      const outgoing = outgoingMail(session.compiledRealm, mail, sending, builtin);
      if (builtin) await createProvider(sender, session).send(outgoing);
      else await sendByPlugin(session, sender, outgoing);
    });
  }

  /** The reason why the realm cannot send mails; undefined if none is known. */
  problem({ generation, compiledRealm: realm }: HostSession): string | undefined {
    try {
      const { registered } = this.#senderOf(generation, realm);
      return registered.plugin.builtin ? this.#mailer.problem(realm) : undefined;
    } catch (error) {
      return messageOf((error as Error).cause ?? error);
    }
  }

  /** True if a plugin sends the realm's mails, or is configured to. */
  isReplaced({ generation, compiledRealm: realm }: HostSession): boolean {
    try {
      return !this.#senderOf(generation, realm).registered.plugin.builtin;
    } catch {
      return true;
    }
  }

  /** @throws HostError as `send` */
  #senderOf(generation: Generation, realm: Realm): Sender {
    const { plugin, builtIn } = mailProviderOf(EmailSender, generation, realm);
    const sender = plugin ?? builtIn;
    if (sender === undefined) throw failed(`realm ${realm.name} has no email sender enabled`);
    return sender;
  }
}

function outgoingMail(realm: Realm, mail: Mail, { kind, id, attempt = 1 }: Sending, builtin: boolean): OutgoingMail {
  const { to } = mail;
  if (!builtin && !isEmailAddress(to.address)) throw failed('the email address of the recipient is invalid', 'final');
  const { from, replyTo, problem } = readMailFrom(realm.representation);
  if (!builtin && problem !== undefined) throw failed(`smtpServer.${problem.key} ${problem.message}`);
  const party = (one: typeof from) => one && { name: inLine(one.name), address: one.address };
  return {
    to: { name: inLine(to.name), address: to.address },
    from: party(from),
    replyTo: party(replyTo),
    subject: inLine(mail.subject),
    text: mail.text,
    html: mail.html,
    messageId: `<${id ?? randomUUID()}@${new URL(realm.issuer).hostname}>`,
    kind,
    attempt,
  };
}

async function sendByPlugin(session: HostSession, sender: Sender, mail: OutgoingMail): Promise<void> {
  const { id, plugin } = sender.registered;
  const what = `${EmailSender.id}/${id}`;
  let outcome: Awaited<ReturnType<EmailSenderProvider['send']>>;
  try {
    outcome = await session.withTimeLimit(createProvider(sender, session).send(mail));
  } catch (error) {
    const reason = String(messageOf(error)).slice(0, REASON_LIMIT);
    // The error may contain texts of a service that the realm's admins must not read, so give them a brief reason.
    throw failed(`${plugin.name}: ${what}: ${reason}`, 'server', `${what} failed`);
  }
  if (outcome.outcome === 'refused') {
    const reason = `${what} refused: ${inLine(outcome.reason.slice(0, REASON_LIMIT))}`;
    throw failed(reason, outcome.final === true ? 'final' : 'mail');
  }
  const { realm, logger } = session;
  logger.debug('mail taken', { plugin: plugin.name, realm: realm.name, message: mail.messageId, id: outcome.id ?? '' });
}
