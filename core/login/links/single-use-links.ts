import { issueTime } from '../../action-tokens/action-token-nonce.js';
import type { MailedLinks } from '../../action-tokens/mailed-links.js';
import { revokedTokenKey } from '../../action-tokens/single-use-keys.js';
import type { Clock } from '../../model/clock.js';
import type { User } from '../../model/user.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';
import type { Store } from '../../store/store.js';
import type { LoginRequestContext } from '../login-request-context.js';

/** Uses up the link of a login when its first action succeeds. */
export class SingleUseLinks {
  readonly #store: Store;
  readonly #links: MailedLinks;
  readonly #clock: Clock;

  constructor(parts: { store: Store; links: MailedLinks; clock: Clock }) {
    this.#store = parts.store;
    this.#links = parts.links;
    this.#clock = parts.clock;
  }

  /**
   * Runs the first action of the followed link, which uses up the link: if two browsers opened it, only one succeeds. A
   * failed action does not use it up.
   * @throws PageRefusal if the link is no longer valid
   */
  async run<T extends { readonly outcome: string }>(
    { authentication, exchange, client }: LoginRequestContext,
    user: User,
    act: () => Promise<T>,
  ): Promise<T> {
    const { link } = authentication;
    if (link === undefined) return act();
    const { marks } = this.#store;
    const { spends } = link;
    const now = this.#clock.now();
    const isRevoked = await marks.has({ ...revokedTokenKey(exchange.realm.name, link.id), now });
    // An action of the link may have outdated it, for example by changing the email. Once used up, only a revocation
    // ends it.
    const isOver =
      isRevoked ||
      (!link.spent &&
        ((await this.#links.validity(exchange.realm, user, link)) === 'outdated' ||
          issueTime(link.id, 0) <= user.linksNotBefore));
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
