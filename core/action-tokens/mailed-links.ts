import { hash } from 'node:crypto';
import type { IssuedActionToken } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { User } from '../model/user.js';
import type { ActionTokenRequest, HostSession } from '../registry/sessions/session.js';
import type { Store } from '../store/store.js';

/** The namespace in the store; no plugin's name has a slash in front. */
const NAMESPACE = '/mailed-links';

/**
 * Which mailed links are good: of each kind the user's newest, and only while password and e-mail address are those that it
 * was made for.
 */
export class MailedLinks {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(parts: { store: Store; clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /** Issues the token of a link, which ends older ones. */
  async issue(session: HostSession, user: User, request: ActionTokenRequest): Promise<IssuedActionToken> {
    const claims = { ...request.claims, eml: user.view.email ?? '' };
    const issued = await session.actionTokens.issue({ ...request, claims });
    await this.#store.entries.put({
      ...place(session.compiledRealm, user, request.type),
      value: JSON.stringify({ id: issued.id, state: stateOf(user) }),
      expiresAt: this.#clock.now() + issued.expiresIn * 1000,
    });
    return issued;
  }

  /** `outdated`: a newer one was mailed, or password or address have changed; `absent`: none was mailed, or it expired. */
  async standing(
    realm: Realm,
    user: User,
    link: { type: string; id: string },
  ): Promise<'good' | 'outdated' | 'absent'> {
    const value = await this.#store.entries.get({ ...place(realm, user, link.type), now: this.#clock.now() });
    if (value === undefined) return 'absent';
    const { id, state } = JSON.parse(value) as { id: string; state: string };
    return id === link.id && state === stateOf(user) ? 'good' : 'outdated';
  }
}

function place(realm: Realm, user: User, type: string) {
  return { realm: realm.name, namespace: NAMESPACE, key: `${type} ${user.id}` };
}

/** The stored password's hash is part of it, and cannot be found from it. */
function stateOf({ credentials, view }: User): string {
  const password = credentials.find(({ type }) => type === 'password')?.secretData ?? '';
  return hash('sha256', `${password}\n${view.email?.toLowerCase() ?? ''}`, 'base64url');
}
