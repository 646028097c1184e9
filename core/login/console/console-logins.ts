import { createHash } from 'node:crypto';
import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import { MASTER_REALM, type Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import type { Realms } from '../../realms/realms.js';
import type { Store } from '../../store/store.js';
import { isAdministrator } from '../../users/last-administrator.js';
import type { Users } from '../../users/users.js';
import { type ConsoleOptions, consoleLoginObstacle, consoleRefused } from './console-offer.js';

/** Below `/realms/master`. */
export const CONSOLE_LOGIN = '/login-actions/console-login';
/** In the store; plugin names never begin with a slash. */
const NAMESPACE = '/console-logins';
const LIFETIME_SECONDS = 60;
/** The role of `master` with every right. */
const ADMIN = 'admin';
/** Maximum number of master's users that are searched. */
const MOST_ADMINS = 100;

/** A login that the owner of this machine requested by a command. */
export interface ConsoleLogin {
  /** The command polls the state with this ID, which cannot sign in. */
  readonly id: string;
  /** Signs in, once. */
  readonly key: string;
  /** Path of the key's endpoint, below the server's URL. */
  readonly path: string;
  readonly username: string;
  /** In seconds. */
  readonly expiresIn: number;
}

export type ConsoleLoginState = 'waiting' | 'used' | 'expired';

/** The user to sign in, and the realm that the admin console will show. */
interface Known {
  readonly userId: string;
  readonly shows: string;
}

/**
 * One-time keys that sign in an administrator of `master`, for `keyhost console`. Only a user who can read the running
 * host's private file gets one, and could read its store, too. A key is valid for a minute, and once across all
 * workers.
 */
export class ConsoleLogins {
  readonly #options: ConsoleOptions;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #realms: Realms;
  readonly #users: Users;

  constructor(parts: { options: ConsoleOptions; store: Store; clock: Clock; realms: Realms; users: Users }) {
    this.#options = parts.options;
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#realms = parts.realms;
    this.#users = parts.users;
  }

  /**
   * @param shows the realm that the admin console shows
   * @param username of the administrator; undefined: the first one found
   * @throws HostError `console_refused` (409)
   */
  async issue(shows: string, username: string | undefined): Promise<ConsoleLogin> {
    const why = consoleLoginObstacle(this.#options);
    if (why !== undefined) throw consoleRefused(why);
    const master = await this.#realms.get(MASTER_REALM);
    if (master === undefined || (await this.#realms.get(shows)) === undefined) {
      throw consoleRefused(`the server has no realm ${shows}`);
    }
    const user = await this.#administrator(master, username);
    const key = randomToken(32);
    const id = digest(key);
    const known = { userId: user.id, shows } satisfies Known;
    await this.#store.entries.put({
      ...place(master, id),
      value: JSON.stringify(known),
      expiresAt: this.#clock.now() + LIFETIME_SECONDS * 1000,
    });
    return {
      id,
      key,
      path: `/realms/${MASTER_REALM}${CONSOLE_LOGIN}`,
      username: user.username,
      expiresIn: LIFETIME_SECONDS,
    };
  }

  /**
   * Redeems a one-time console login key. @returns undefined if the key was used already, or its user is not in this
   * realm
   */
  async redeem(realm: Realm, key: string): Promise<{ readonly user: User; readonly shows: string } | undefined> {
    if (consoleLoginObstacle(this.#options) !== undefined) return undefined;
    const id = digest(key);
    const now = this.#clock.now();
    const value = await this.#store.entries.get({ ...place(realm, id), now });
    if (
      value === undefined ||
      !(await this.#store.marks.claim({ ...mark(realm, id), expiresAt: now + 2 * LIFETIME_SECONDS * 1000, now }))
    )
      return undefined;
    await this.#store.entries.delete(place(realm, id));
    const { userId, shows } = JSON.parse(value) as Known;
    const user = await this.#users.byId(realm, userId);
    return user !== undefined && isOf(realm, user) ? { user, shows } : undefined;
  }

  async state(id: string): Promise<ConsoleLoginState> {
    const master = { name: MASTER_REALM };
    const now = this.#clock.now();
    if (await this.#store.marks.has({ ...mark(master, id), now })) return 'used';
    return (await this.#store.entries.get({ ...place(master, id), now })) === undefined ? 'expired' : 'waiting';
  }

  async #administrator(master: Realm, username: string | undefined): Promise<User> {
    if (username !== undefined) {
      const user = await this.#users.byUsername(master, username);
      if (user !== undefined && isOf(master, user)) return user;
      throw consoleRefused(`${username} is no administrator of the realm ${MASTER_REALM}`);
    }
    const who = { enabled: true, max: MOST_ADMINS };
    // Search the direct holders of the role first: most administrators are among them.
    const direct = await this.#users.find(master, { ...who, holds: { kind: 'role', name: ADMIN } });
    const user = [...direct, ...(await this.#users.find(master, who))].find((one) => isOf(master, one));
    if (user === undefined) throw consoleRefused(`the realm ${MASTER_REALM} has no administrator`);
    return user;
  }
}

function isOf(master: Realm, user: User): boolean {
  return user.enabled && !user.isServiceAccount && isAdministrator(master, user);
}

/** Only a hash is stored, so that reading the store yields no key. */
function digest(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

function place({ name }: Pick<Realm, 'name'>, id: string) {
  return { realm: name, namespace: NAMESPACE, key: id };
}

function mark({ name }: Pick<Realm, 'name'>, id: string) {
  return { realm: name, kind: 'console-login', keyHash: id };
}
