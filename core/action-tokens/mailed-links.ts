import { hash } from 'node:crypto';
import type { IssuedActionToken } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { User } from '../model/user.js';
import type { ActionTokenRequest, HostSession } from '../registry/sessions/host-session.js';
import type { Store } from '../store/store.js';

/** The type of links that complete the login in which they were requested. */
const LOGIN_LINK = 'login-link';
/** The namespace in the store; plugin names never begin with a slash. */
const NAMESPACE = '/mailed-links';

/**
 * Tracks which mailed links are valid: the newest of each type, for its login or else for its user, as long as the
 * user's password and email are unchanged.
 */
export class MailedLinks {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(parts: { store: Store; clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  /**
   * Issues the token of a link and invalidates older ones of the user. A link that completes a login only invalidates
   * those of the same login, so that a login started by another person does not invalidate the user's link.
   */
  async issue(session: HostSession, user: User, request: ActionTokenRequest): Promise<IssuedActionToken> {
    const claims = { ...request.claims, eml: user.view.email ?? '' };
    const issued = await session.actionTokens.issue({ ...request, claims });
    const { compiledRealm: realm } = session;
    const { type } = request;
    const login = type === LOGIN_LINK ? request.login : undefined;
    const newest = { id: issued.id, state: stateOf(user) };
    const put = (series: string | undefined, value: object) =>
      this.#store.entries.put({
        ...place(realm, user, type, series),
        value: JSON.stringify(value),
        expiresAt: this.#clock.now() + issued.expiresIn * 1000,
      });
    await put(login, newest);
    if (login !== undefined) await put(issued.id, { login });
    return issued;
  }

  /**
   * `outdated`: a newer one was mailed, or password or email have changed; `absent`: none was mailed, or it expired.
   */
  async validity(
    realm: Realm,
    user: User,
    link: { type: string; id: string },
  ): Promise<'good' | 'outdated' | 'absent'> {
    const get = (series?: string) =>
      this.#store.entries.get({ ...place(realm, user, link.type, series), now: this.#clock.now() });
    const ofLogin = await get(link.id);
    const value = await get(ofLogin && (JSON.parse(ofLogin) as { login: string }).login);
    if (value === undefined) return 'absent';
    const { id, state } = JSON.parse(value) as { id: string; state: string };
    return id === link.id && state === stateOf(user) ? 'good' : 'outdated';
  }
}

/** @param series the login of the link, or the ID of a link that has a login */
function place(realm: Realm, user: User, type: string, series?: string) {
  const key = series === undefined ? `${type} ${user.id}` : `${type} ${user.id} ${series}`;
  return { realm: realm.name, namespace: NAMESPACE, key };
}

/** Includes the hash of the stored password, which cannot be recovered from it. */
function stateOf({ credentials, view }: User): string {
  const password = credentials.find(({ type }) => type === 'password')?.secretData ?? '';
  return hash('sha256', `${password}\n${view.email?.toLowerCase() ?? ''}`, 'base64url');
}
