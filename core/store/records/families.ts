import type { Writer } from '../engine/engine.js';
import { endWith, get, lock, lockAndGet, type Operation, run, runAll } from '../engine/operation.js';
import type { FamilyRecord, FamilyStore, RotateOutcome, SessionKey } from '../store.js';

type Rotation = Parameters<FamilyStore['rotate']>[0];
type RevokeBy = Parameters<FamilyStore['revoke']>[1];

interface FamilyRow {
  session_id: string;
  offline: number;
  client_uuid: string;
  pending: string;
  used: string | null;
  uses: number;
}

const CLIENT_SESSION =
  'SELECT started_at FROM client_sessions ' +
  'WHERE realm = $1 AND session_id = $2 AND offline = $3 AND client_uuid = $4';
const SESSION_LOCK = 'SELECT started_at, expires_at FROM user_sessions WHERE realm = $1 AND id = $2 AND offline = $3';

export const familyOperations = {
  *'families.rotate'(request: Rotation): Operation<RotateOutcome> {
    const { realm, family, presented, next, maxReuse, now, expiresAt } = request;
    // The token is nearly always the only usable one: then one statement checks and uses it.
    const used = yield* run(
      'UPDATE families SET pending = $3, used = $4, uses = 1, expires_at = $5 ' +
        'WHERE realm = $1 AND id = $2 AND pending = $6 AND expires_at > $7',
      realm,
      family,
      JSON.stringify([next]),
      presented,
      expiresAt,
      JSON.stringify([presented]),
      now,
    );
    if (used === 1) return { outcome: 'rotated', uses: 1 };
    const key = [realm, family, now] as const;
    const sessionRef = yield* get<Pick<FamilyRow, 'session_id' | 'offline'>>(
      'SELECT session_id, offline FROM families WHERE realm = $1 AND id = $2 AND expires_at > $3',
      ...key,
    );
    if (sessionRef === undefined) return { outcome: 'absent' };
    const session = { realm, id: sessionRef.session_id, offline: sessionRef.offline === 1 };
    yield* lockSession(session);
    const row = yield* lock<FamilyRow>(
      'SELECT client_uuid, pending, used, uses FROM families WHERE realm = $1 AND id = $2 AND expires_at > $3',
      ...key,
    );
    if (row === undefined) return { outcome: 'absent' };
    const pending = JSON.parse(row.pending) as string[];
    if (pending.includes(presented)) {
      yield* useToken(request, [next], 1);
      return { outcome: 'rotated', uses: 1 };
    }
    if (row.used === presented && row.uses <= maxReuse) {
      const uses = row.uses + 1;
      yield* useToken(request, [...pending, next], uses);
      return { outcome: 'rotated', uses };
    }
    yield* detachClientSession(session, row.client_uuid);
    return { outcome: row.used === presented ? 'reused' : 'stale' };
  },

  *'families.revoke'(realm: string, by: RevokeBy): Operation<number> {
    if ('family' in by) return yield* endWith('DELETE FROM families WHERE realm = $1 AND id = $2', realm, by.family);
    if ('sessionId' in by) {
      return yield* endWith('DELETE FROM families WHERE realm = $1 AND session_id = $2', realm, by.sessionId);
    }
    return yield* endWith('DELETE FROM families WHERE realm = $1 AND user_id = $2', realm, by.userId);
  },
};

function* useToken(
  { realm, family, presented, expiresAt }: Rotation,
  pending: string[],
  uses: number,
): Operation<void> {
  yield* endWith(
    'UPDATE families SET pending = $3, used = $4, uses = $5, expires_at = $6 WHERE realm = $1 AND id = $2',
    realm,
    family,
    JSON.stringify(pending),
    presented,
    uses,
    expiresAt,
  );
}

/** Returns the statement that inserts a family. It fails with `store_conflict` if the ID exists. */
export function familyInsert(family: FamilyRecord) {
  return [
    'INSERT INTO families (realm, id, session_id, offline, client_uuid, user_id, pending, used, uses, expires_at) ' +
      'VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, 0, $8)',
    family.realm,
    family.id,
    family.sessionId,
    family.offline ? 1 : 0,
    family.clientUuid,
    family.userId,
    JSON.stringify([family.current]),
    family.expiresAt,
  ] as const;
}

/**
 * Locks a user session before a record is added to it or removed from it. So nothing is added to a session that is
 * being removed.
 * @returns undefined if it does not exist
 */
export function* lockSession({
  realm,
  id,
  offline,
}: SessionKey): Operation<{ readonly started_at: number; readonly expires_at: number } | undefined> {
  return yield* lock(SESSION_LOCK, realm, id, offline ? 1 : 0);
}

/**
 * Like `lockSession`, but also reads a client's session in it.
 * @returns undefined for each that does not exist
 */
export function* lockWithClient({ realm, id, offline }: SessionKey, clientUuid: string) {
  const key = [realm, id, offline ? 1 : 0] as const;
  const [session, client] = yield* lockAndGet<{ readonly started_at: number; readonly expires_at: number }>(
    [SESSION_LOCK, ...key],
    [[CLIENT_SESSION, ...key, clientUuid]],
  );
  return [session, client] as const;
}

/** Returns the locks of several sessions, for `lockAll`. */
export function sessionLocks(keys: readonly SessionKey[]) {
  return keys.map(({ realm, id, offline }) => [SESSION_LOCK, realm, id, offline ? 1 : 0] as const);
}

/**
 * Removes a client session with all its families, so that none of its refresh tokens is valid. The caller must have
 * locked the user session.
 */
export function* detachClientSession({ realm, id, offline }: SessionKey, clientUuid: string): Operation<boolean> {
  const where = 'WHERE realm = $1 AND session_id = $2 AND offline = $3 AND client_uuid = $4';
  const client = [realm, id, offline ? 1 : 0, clientUuid] as const;
  const [, detached] = yield* runAll([
    [`DELETE FROM families ${where}`, ...client],
    [`DELETE FROM client_sessions ${where}`, ...client],
  ]);
  return detached === 1;
}

export class FamilyRecords implements FamilyStore {
  readonly #writer: Writer;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  rotate(request: Rotation): Promise<RotateOutcome> {
    return this.#writer.call('families.rotate', request);
  }

  revoke(realm: string, by: RevokeBy): Promise<number> {
    return this.#writer.call('families.revoke', realm, by);
  }
}
