import { revokedTokenKey } from '../../action-tokens/action-token-keys.js';
import { issueTime } from '../../action-tokens/action-token-nonce.js';
import type { MailedLinks } from '../../action-tokens/mailed-links.js';
import type { Clock } from '../../model/clock.js';
import type { User } from '../../model/user.js';
import { PageRefusal } from '../../oidc/authorization/authorization-request.js';
import type { Store } from '../../store/store.js';
import type { LoginRequestContext } from '../login-request-context.js';

/** Uses up the followed link of a login when its first action succeeds. */
export class SingleUseLinks {
  readonly #parts: { store: Store; links: MailedLinks; clock: Clock };

  constructor(parts: { store: Store; links: MailedLinks; clock: Clock }) {
    this.#parts = parts;
  }

  /**
   * Runs an action of the login. The first one that succeeds uses up the followed link: if two browsers opened it, only
   * one succeeds. A failed action does not use it up.
   * @throws PageRefusal if the link is no longer valid
   */
  async run<T extends { readonly outcome: string }>(
    { authentication, exchange, client }: LoginRequestContext,
    user: User,
    runAction: () => Promise<T>,
  ): Promise<T> {
    const { link } = authentication;
    if (link === undefined) return runAction();
    const { marks } = this.#parts.store;
    const { spends: singleUseKey } = link;
    const now = this.#parts.clock.now();
    const isRevoked = await marks.has({ ...revokedTokenKey(exchange.realm.name, link.id), now });
    // An action of the link may have outdated it, for example by changing the email. So after its first use, only a
    // revocation invalidates it.
    const isInvalid =
      isRevoked ||
      (!link.spent &&
        ((await this.#parts.links.validity(exchange.realm, user, link)) === 'outdated' ||
          issueTime(link.id, 0) <= user.linksNotBefore));
    const mustClaim = !link.spent && singleUseKey !== undefined;
    const isClaimed = !isInvalid && (!mustClaim || (await marks.claim({ ...singleUseKey, now })));
    if (!isClaimed) {
      const details = { action: link.type, token_id: link.id };
      const text = { key: 'expiredActionTokenNoSessionMessage' };
      throw new PageRefusal('expired_code', text, { client, details, userId: user.id });
    }
    try {
      const step = await runAction();
      link.spent ||= step.outcome === 'success';
      return step;
    } finally {
      if (mustClaim && !link.spent) await marks.release(singleUseKey);
    }
  }
}
