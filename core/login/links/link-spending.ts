import { revokedActionToken } from '../../action-tokens/action-token-marks.js';
import { issuedAt } from '../../action-tokens/action-token-nonce.js';
import type { MailedLinks } from '../../action-tokens/mailed-links.js';
import type { Clock } from '../../model/clock.js';
import type { User } from '../../model/user.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';
import type { Store } from '../../store/store.js';
import type { LoginVisit } from '../login-visit.js';

/** Spends the link that a login goes on by with the first thing that is done by it. */
export class LinkSpending {
  readonly #store: Store;
  readonly #links: MailedLinks;
  readonly #clock: Clock;

  constructor(parts: { store: Store; links: MailedLinks; clock: Clock }) {
    this.#store = parts.store;
    this.#links = parts.links;
    this.#clock = parts.clock;
  }

  /**
   * Does the first thing that the followed link asks for, which spends the link: of two browsers that opened it one does
   * it. Whatever does not succeed spends nothing.
   * @throws PageRefusal when the link is no longer good
   */
  async run<T extends { readonly outcome: string }>(
    { authentication, exchange, client }: LoginVisit,
    user: User,
    act: () => Promise<T>,
  ): Promise<T> {
    const { link } = authentication;
    if (link === undefined) return act();
    const { marks } = this.#store;
    const { spends } = link;
    const now = this.#clock.now();
    const isRevoked = await marks.has({ ...revokedActionToken(exchange.realm.name, link.id), now });
    // What was done by the link may have outdated it, such as a new address; once spent, only its revocation ends it.
    const isOver =
      isRevoked ||
      (!link.spent &&
        ((await this.#links.standing(exchange.realm, user, link)) === 'outdated' ||
          issuedAt(link.id, 0) <= user.linksNotBefore));
    const isFirst = !link.spent && spends !== undefined;
    const claimed = !isOver && (!isFirst || (await marks.claim({ ...spends, now })));
    if (!claimed) {
      const details = { action: link.type, token_id: link.id };
      const text = { key: 'expiredActionTokenNoSessionMessage' };
      throw new PageRefusal('expired_code', text, { client, details, userId: user.id });
    }
    try {
      const step = await act();
      link.spent ||= step.outcome === 'success';
      return step;
    } finally {
      if (isFirst && !link.spent) await marks.release(spends);
    }
  }
}
