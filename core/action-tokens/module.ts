import { Clock } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { token } from '../di/token.js';
import { Endpoints } from '../http/module.js';
import { RequestEvents } from '../http/request-events.js';
import { KeyRing } from '../keys/key-ring.js';
import { MailBudgets } from '../mail/mail-budgets.js';
import { RealmMails } from '../mail/realm-mails.js';
import { Pages } from '../pages/pages.js';
import { Events } from '../registry/events/events.js';
import { RightRefusals } from '../registry/sessions/right-refusals.js';
import { SessionFactory } from '../registry/sessions/session-factory.js';
import { Store } from '../store/module.js';
import { Users } from '../users/users.js';
import { actionTokenEndpoint } from './action-token-endpoint.js';
import { ClaimChecks } from './claim-checks.js';
import type { LinkLogins as LinkLoginsOf } from './link-logins.js';
import { LinkMails } from './link-mails.js';
import { MailedLinks } from './mailed-links.js';
import { SingleUseRecords } from './single-use-record.js';
import { ActionTokenChecks } from './verify-action-token.js';

/** Signs in the users of links. */
export const LinkLogins = token<LinkLoginsOf>('LinkLogins');

export const actionTokens = module('action-tokens', [
  service(ClaimChecks, () => new ClaimChecks()),
  service(
    ActionTokenChecks,
    (use) =>
      new ActionTokenChecks({
        keys: use(KeyRing),
        users: use(Users),
        store: use(Store),
        clock: use(Clock),
        claims: use(ClaimChecks),
      }),
  ),
  service(SingleUseRecords, (use) => new SingleUseRecords({ store: use(Store), clock: use(Clock) })),
  service(MailedLinks, (use) => new MailedLinks({ store: use(Store), clock: use(Clock) })),
  service(
    LinkMails,
    (use) =>
      new LinkMails({
        links: use(MailedLinks),
        mails: use(RealmMails),
        budgets: use(MailBudgets),
        events: use(Events),
        sessions: use(SessionFactory),
      }),
  ),
  adds(Endpoints, (use) => [
    actionTokenEndpoint({
      checks: use(ActionTokenChecks),
      records: use(SingleUseRecords),
      linkLogins: use(LinkLogins),
      refusals: use(RightRefusals),
      sessions: use(SessionFactory),
      events: use(RequestEvents),
      pages: use(Pages),
    }),
  ]),
]);
