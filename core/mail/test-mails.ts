import { Realm } from '../model/realm.js';
import type { RealmRepresentation } from '../model/representation.js';
import type { Caller } from '../registry/sessions/caller.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import type { Mailer } from './mailer.js';
import type { RealmSenders } from './senders/realm-senders.js';

const BODY_TEXT = 'This is a test message. The realm can send emails with this mail server.';

/** Sends test mails, with which admins check the mail settings of a realm. */
export class TestMails {
  readonly #parts: {
    mailer: Pick<Mailer, 'tryServer'>;
    senders: Pick<RealmSenders, 'send' | 'usesPlugin'>;
    sessions: SessionFactory;
  };

  constructor(parts: {
    mailer: Pick<Mailer, 'tryServer'>;
    senders: Pick<RealmSenders, 'send' | 'usesPlugin'>;
    sessions: SessionFactory;
  }) {
    this.#parts = parts;
  }

  /**
   * Sends a test mail by the realm's email sender, or by the mail server if the sender is the built-in one.
   * @param unsaved the realm with unsaved settings
   * @throws HostError `email_send_failed` (500)
   */
  async send(
    realm: Realm,
    unsaved: RealmRepresentation,
    to: { readonly name: string; readonly address: string },
    caller: Caller,
  ): Promise<void> {
    const mail = { to, subject: 'Test message', text: `${BODY_TEXT}\n`, html: `<p>${BODY_TEXT}</p>` };
    const { id, name, version, baseUrl } = realm;
    const session = this.#parts.sessions.create(
      new Realm({ id, name, version, representation: unsaved }, baseUrl),
      caller,
      'keyhost',
    );
    try {
      if (this.#parts.senders.usesPlugin(session)) await this.#parts.senders.send(session, mail, { kind: 'test' });
      else await this.#parts.mailer.tryServer(realm, unsaved, mail);
    } finally {
      await session.close();
    }
  }
}
