import type { RealmRepresentation } from '../model/representation.js';
import type { User } from '../model/user.js';
import type { Mailer } from './mailer.js';

const TEXT = 'This is a test message. The realm can send emails with this mail server.';

/** Mails by which admins try a mail server. */
export class TestMails {
  readonly #mailer: Mailer;

  constructor(mailer: Mailer) {
    this.#mailer = mailer;
  }

  /** @param user who gets it, and so needs an address @throws HostError `email_send_failed` (500) */
  send(realm: RealmRepresentation, { username, view }: User): Promise<void> {
    const to = { name: username, address: view.email ?? '' };
    return this.#mailer.tryServer(realm, { to, subject: 'Test message', text: `${TEXT}\n`, html: `<p>${TEXT}</p>` });
  }
}
