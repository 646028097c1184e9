import { createHash } from 'node:crypto';
import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import { MASTER_REALM, type Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { Realms } from '../../realms/realms.js';
import type { Store } from '../../store/store.js';
import { isAdministrator } from '../../users/last-administrator.js';
import type { Users } from '../../users/users.js';
import { type ConsoleOptions, consoleLoginObstacle, consoleRefusedError } from './console-offer.js';

/** Path of the endpoint, below `/realms/master`. */
export const CONSOLE_LOGIN_PATH = '/login-actions/console-login';
/** The namespace in the store; plugin names never begin with a slash. */
const NAMESPACE = '/console-logins';
const LIFETIME_SECONDS = 60;
/** The realm role of `master` that includes every right. */
const ADMIN_ROLE = 'admin';
/** Maximum number of users of `master` that one search for an administrator reads. */
const MAX_SEARCHED_USERS = 100;

/** A login that `keyhost console` requested. */
export interface ConsoleLogin {
  /** The ID for polling the state. It cannot sign in. */
  readonly id: string;
  /** The key that signs in once. */
  readonly key: string;
  /** Path of the key's endpoint, below the server's URL. */
  readonly path: string;
  readonly username: string;
  /** In seconds. */
  readonly expiresIn: number;
}

export type ConsoleLoginState = 'waiting' | 'used' | 'expired';

/** The user to sign in, and the realm that the admin console will show. */
interface StoredLogin {
  readonly userId: string;
  readonly shows: string;
}

/**
 * One-time keys that sign in an administrator of `master`, for `keyhost console`. Only a user of this machine who can
 * read the running host's `management.json` gets a key; that user could read the store as well. A key is valid for a
 * minute and works once across all workers.
 */
export class ConsoleLogins {
  readonly #parts: { options: ConsoleOptions; store: Store; clock: Clock; realms: Realms; users: Users };

  constructor(parts: { options: ConsoleOptions; store: Store; clock: Clock; realms: Realms; users: Users }) {
    this.#parts = parts;
  }

  /**
   * Issues a key.
   * @param shows the realm that the admin console will show
   * @param username of the administrator; undefined: the first one found
   * @throws HostError `console_refused` (409)
   */
  async issue(shows: string, username: string | undefined): Promise<ConsoleLogin> {
    const obstacle = consoleLoginObstacle(this.#parts.options);
    if (obstacle !== undefined) throw consoleRefusedError(obstacle);
    const master = await this.#parts.realms.get(MASTER_REALM);
    if (master === undefined || (await this.#parts.realms.get(shows)) === undefined) {
      throw consoleRefusedError(`the server has no realm ${shows}`);
    }
    const user = await this.#administrator(master, username);
    const key = randomToken(32);
    const id = digest(key);
    const storedLogin = { userId: user.id, shows } satisfies StoredLogin;
    await this.#parts.store.entries.put({
      ...entryKey(master, id),
      value: JSON.stringify(storedLogin),
      expiresAt: this.#parts.clock.now() + LIFETIME_SECONDS * 1000,
    });
    return {
      id,
      key,
      path: `/realms/${MASTER_REALM}${CONSOLE_LOGIN_PATH}`,
      username: user.username,
      expiresIn: LIFETIME_SECONDS,
    };
  }

  /**
   * Redeems a key.
   * @returns undefined if the key is unknown, expired or used, or its user is no active administrator
   */
  async redeem(realm: Realm, key: string): Promise<{ readonly user: User; readonly shows: string } | undefined> {
    if (consoleLoginObstacle(this.#parts.options) !== undefined) return undefined;
    const id = digest(key);
    const now = this.#parts.clock.now();
    const value = await this.#parts.store.entries.get({ ...entryKey(realm, id), now });
    if (
      value === undefined ||
      !(await this.#parts.store.marks.claim({
        ...markKey(realm, id),
        expiresAt: now + 2 * LIFETIME_SECONDS * 1000,
        now,
      }))
    )
      return undefined;
    await this.#parts.store.entries.delete(entryKey(realm, id));
    const { userId, shows } = JSON.parse(value) as StoredLogin;
    const user = await this.#parts.users.byId(realm, userId);
    return user !== undefined && isActiveAdministrator(realm, user) ? { user, shows } : undefined;
  }

  async stateOf(id: string): Promise<ConsoleLoginState> {
    const master = { name: MASTER_REALM };
    const now = this.#parts.clock.now();
    if (await this.#parts.store.marks.has({ ...markKey(master, id), now })) return 'used';
    return (await this.#parts.store.entries.get({ ...entryKey(master, id), now })) === undefined
      ? 'expired'
      : 'waiting';
  }

  async #administrator(master: Realm, username: string | undefined): Promise<User> {
    if (username !== undefined) {
      const user = await this.#parts.users.byUsername(master, username);
      if (user !== undefined && isActiveAdministrator(master, user)) return user;
      throw consoleRefusedError(`${username} is no administrator of the realm ${MASTER_REALM}`);
    }
    const filter = { enabled: true, max: MAX_SEARCHED_USERS };
    // Search the direct holders of the role first: most administrators are among them.
    const directHolders = await this.#parts.users.find(master, {
      ...filter,
      holds: { kind: 'role', name: ADMIN_ROLE },
    });
    const user = [...directHolders, ...(await this.#parts.users.find(master, filter))].find((candidate) =>
      isActiveAdministrator(master, candidate),
    );
    if (user === undefined) throw consoleRefusedError(`the realm ${MASTER_REALM} has no administrator`);
    return user;
  }
}

function isActiveAdministrator(master: Realm, user: User): boolean {
  return user.enabled && !user.isServiceAccount && isAdministrator(master, user);
}

/** Only a hash is stored, so that reading the store yields no key. */
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

function entryKey({ name }: Pick<Realm, 'name'>, id: string) {
  return { realm: name, namespace: NAMESPACE, key: id };
}

function markKey({ name }: Pick<Realm, 'name'>, id: string) {
  return { realm: name, kind: 'console-login', keyHash: id };
}
