import type { Reader } from '../../engine/engine.js';
import { endWithAll, type Operation } from '../../engine/operation.js';
import type { IdleUser, UserStore } from '../../store.js';
import { USER_COLUMNS, type UserRow } from './user-operations.js';

/** How often sign-ins are written, in milliseconds. */
const WRITE_INTERVAL_MS = 1000;

export interface SignIn {
  readonly realm: string;
  readonly userId: string;
  readonly at: number;
}

/**
 * It only updates an existing row, because the user may have been deleted. A user who was disabled in the meantime
 * stays disabled.
 */
const SIGN_IN =
  'UPDATE user_sign_ins SET last_sign_in = $3, ' +
  'idle_since = CASE WHEN idle_since < $3 THEN $3 ELSE idle_since END ' +
  'WHERE realm = $1 AND user_id = $2 AND (last_sign_in IS NULL OR last_sign_in < $3)';

export const signInOperations = {
  /** @param signIns at most one for each user. They are written in a fixed order, so that two nodes do not deadlock */
  *'users.signedIn'(signIns: readonly SignIn[]): Operation<void> {
    const sorted = [...signIns].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    yield* endWithAll(sorted.map(({ realm, userId, at }) => [SIGN_IN, realm, userId, at] as const));
  },
};

/** Collects sign-ins, so that a login does not wait for the write. */
export class SignIns {
  readonly #write: (signIns: readonly SignIn[]) => Promise<void>;
  readonly #pending = new Map<string, SignIn>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(write: (signIns: readonly SignIn[]) => Promise<void>) {
    this.#write = write;
  }

  add(signIn: SignIn): void {
    const key = keyOf(signIn);
    if ((this.#pending.get(key)?.at ?? 0) < signIn.at) this.#pending.set(key, signIn);
    // After a failure, the sign-ins are written the next time. Callers of all other methods get the failure.
    this.#timer ??= setTimeout(() => this.flush().catch(() => undefined), WRITE_INTERVAL_MS);
  }

  /** Resolves when all earlier sign-ins are on disk. After a failure, they are written with the next flush. */
  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#flush());
    return this.#writing;
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.size === 0) return;
    const batch = [...this.#pending.values()];
    this.#pending.clear();
    try {
      await this.#write(batch);
    } catch (error) {
      for (const signIn of batch) this.add(signIn);
      throw error;
    }
  }
}

interface IdleRow extends UserRow {
  readonly idle_since: number;
  readonly last_sign_in: number | null;
}

/** Returns a page of enabled users by idle time, read from an index in that order. */
export async function idleRows(
  reader: Reader,
  realm: string,
  { before, after = { idleSince: -1, id: '' }, max = 100 }: Parameters<UserStore['idle']>[1],
): Promise<readonly (UserRow & Omit<IdleUser, 'user'>)[]> {
  const columns = USER_COLUMNS.replace(/\w+/g, 'u.$&');
  const rows = await reader.all<IdleRow>(
    `SELECT ${columns}, s.idle_since, s.last_sign_in FROM (SELECT user_id, idle_since, last_sign_in FROM user_sign_ins ` +
      'WHERE realm = $1 AND enabled = 1 AND idle_since < $2 AND (idle_since, user_id) > ($3, $4) ' +
      'ORDER BY idle_since, user_id LIMIT $5) s ' +
      'JOIN users u ON u.realm = $1 AND u.id = s.user_id ORDER BY s.idle_since, s.user_id',
    realm,
    before,
    after.idleSince,
    after.id,
    max,
  );
  return rows.map(({ idle_since, last_sign_in, ...row }) => ({
    ...row,
    idleSince: idle_since,
    ...(last_sign_in === null ? {} : { lastSignIn: last_sign_in }),
  }));
}

function keyOf({ realm, userId }: SignIn): string {
  return `${realm}\n${userId}`;
}
