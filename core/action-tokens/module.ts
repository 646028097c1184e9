import { Clock } from '../di/given.js';
import { adds, module, service } from '../di/module.js';
import { token } from '../di/token.js';
import { Endpoints } from '../http/module.js';
import { RequestEvents } from '../http/request-events.js';
import { KeyRing } from '../keys/key-ring.js';
import { RealmMails } from '../mail/realm-mails.js';
import { Pages } from '../pages/pages.js';
import { Events } from '../registry/events/events.js';
import { SessionFactory } from '../registry/sessions/session.js';
import { Store } from '../store/module.js';
import { Users } from '../users/users.js';
import { ClaimChecks } from './claim-checks.js';
import { actionTokenEndpoint } from './endpoint.js';
import type { LinkLogins as LinkLoginsOf } from './link-logins.js';
import { LinkMails } from './link-mails.js';
import { MailedLinks } from './mailed-links.js';

/** Who logs in the user whom a link is about. */
export const LinkLogins = token<LinkLoginsOf>('LinkLogins');

export const actionTokens = module('action-tokens', [
  service(ClaimChecks, () => new ClaimChecks()),
  service(MailedLinks, (use) => new MailedLinks({ store: use(Store), clock: use(Clock) })),
  service(
    LinkMails,
    (use) =>
      new LinkMails({
        ...{ links: use(MailedLinks), mails: use(RealmMails), store: use(Store), clock: use(Clock) },
        ...{ events: use(Events), sessions: use(SessionFactory) },
      }),
  ),
  adds(Endpoints, (use) => [
    actionTokenEndpoint({
      ...{ sessions: use(SessionFactory), keys: use(KeyRing), users: use(Users), store: use(Store) },
      ...{ events: use(RequestEvents), clock: use(Clock), claims: use(ClaimChecks), pages: use(Pages) },
      linkLogins: use(LinkLogins),
    }),
  ]),
]);
