import { hash } from 'node:crypto';
import type { IssuedActionToken } from '@keyhost/spi';
import type { Clock } from '../model/clock.js';
import type { Realm } from '../model/realm.js';
import type { User } from '../model/user.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { ActionTokenRequest } from '../registry/sessions/session-services.js';
import type { Store } from '../store/store.js';

/** The type of links that complete the login in which they were requested. */
const LOGIN_LINK = 'login-link';
/** The namespace in the store; plugin names never begin with a slash. */
const NAMESPACE = '/mailed-links';

/**
 * Tracks which mailed links are valid: only the newest of each type per user, or per login for links that complete one.
 * A link becomes outdated if the user's password or email changes.
 */
export class MailedLinks {
  readonly #parts: { store: Store; clock: Clock };

  constructor(parts: { store: Store; clock: Clock }) {
    this.#parts = parts;
  }

  /**
   * Issues the token of a link and invalidates the user's older links of this type. A link that completes a login only
   * invalidates those of the same login. Otherwise another person who starts a login could invalidate the user's link.
   */
  async issue(session: HostSession, user: User, request: ActionTokenRequest): Promise<IssuedActionToken> {
    const claims = { ...request.claims, eml: user.view.email ?? '' };
    const issued = await session.actionTokens.issue({ ...request, claims });
    const { compiledRealm: realm } = session;
    const { type } = request;
    const login = type === LOGIN_LINK ? request.login : undefined;
    const newest = { id: issued.id, state: credentialFingerprint(user) };
    const put = (suffix: string | undefined, value: object) =>
      this.#parts.store.entries.put({
        ...entryKey(realm, user, type, suffix),
        value: JSON.stringify(value),
        expiresAt: this.#parts.clock.now() + issued.expiresIn * 1000,
      });
    await put(login, newest);
    if (login !== undefined) await put(issued.id, { login });
    return issued;
  }

  /**
   * Whether the link is the newest. `outdated`: a newer one was mailed, or password or email have changed. `absent`:
   * none was mailed, or it expired.
   */
  async validity(
    realm: Realm,
    user: User,
    link: { type: string; id: string },
  ): Promise<'good' | 'outdated' | 'absent'> {
    const get = (suffix?: string) =>
      this.#parts.store.entries.get({ ...entryKey(realm, user, link.type, suffix), now: this.#parts.clock.now() });
    const loginEntry = await get(link.id);
    const value = await get(loginEntry && (JSON.parse(loginEntry) as { login: string }).login);
    if (value === undefined) return 'absent';
    const { id, state } = JSON.parse(value) as { id: string; state: string };
    return id === link.id && state === credentialFingerprint(user) ? 'good' : 'outdated';
  }
}

/**
 * The store key of an entry. An entry of a login link has a suffix: the login for its newest link, or a link's ID for
 * its login.
 */
function entryKey(realm: Realm, user: User, type: string, suffix?: string) {
  const key = suffix === undefined ? `${type} ${user.id}` : `${type} ${user.id} ${suffix}`;
  return { realm: realm.name, namespace: NAMESPACE, key };
}

/** A hash of the stored password hash and the email. Neither can be recovered from it. */
function credentialFingerprint({ credentials, view }: User): string {
  const password = credentials.find(({ type }) => type === 'password')?.secretData ?? '';
  return hash('sha256', `${password}\n${view.email?.toLowerCase() ?? ''}`, 'base64url');
}
