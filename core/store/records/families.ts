import type { Writer } from '../engine/engine.js';
import { get, type Operation, run } from '../engine/operation.js';
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

export const familyOperations = {
  *'families.rotate'(request: Rotation): Operation<RotateOutcome> {
    const { realm, family, presented, next, maxReuse, now } = request;
    const row = yield* get<FamilyRow>(
      'SELECT session_id, offline, client_uuid, pending, used, uses FROM families ' +
        'WHERE realm = $1 AND id = $2 AND expires_at > $3',
      realm,
      family,
      now,
    );
    if (row === undefined) return { outcome: 'absent' };
    const pending = JSON.parse(row.pending) as string[];
    if (pending.includes(presented)) {
      yield* advance(request, [next], 1);
      return { outcome: 'rotated', uses: 1 };
    }
    if (row.used === presented && row.uses <= maxReuse) {
      const uses = row.uses + 1;
      yield* advance(request, [...pending, next], uses);
      return { outcome: 'rotated', uses };
    }
    yield* detachClientSession({ realm, id: row.session_id, offline: row.offline === 1 }, row.client_uuid);
    return { outcome: row.used === presented ? 'reused' : 'stale' };
  },

  *'families.revoke'(realm: string, by: RevokeBy): Operation<number> {
    if ('family' in by) return yield* run('DELETE FROM families WHERE realm = $1 AND id = $2', realm, by.family);
    if ('sessionId' in by) {
      return yield* run('DELETE FROM families WHERE realm = $1 AND session_id = $2', realm, by.sessionId);
    }
    return yield* run('DELETE FROM families WHERE realm = $1 AND user_id = $2', realm, by.userId);
  },
};

function* advance({ realm, family, presented, expiresAt }: Rotation, pending: string[], uses: number): Operation<void> {
  yield* run(
    'UPDATE families SET pending = $3, used = $4, uses = $5, expires_at = $6 WHERE realm = $1 AND id = $2',
    realm,
    family,
    JSON.stringify(pending),
    presented,
    uses,
    expiresAt,
  );
}

/** @throws HostError `store_conflict` when the id is taken */
export function* startFamily(family: FamilyRecord): Operation<void> {
  yield* run(
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
  );
}

/** Removes a client session with all its families: no refresh token of it is good any more. */
export function* detachClientSession({ realm, id, offline }: SessionKey, clientUuid: string): Operation<boolean> {
  const where = 'WHERE realm = $1 AND session_id = $2 AND offline = $3 AND client_uuid = $4';
  const client = [realm, id, offline ? 1 : 0, clientUuid] as const;
  yield* run(`DELETE FROM families ${where}`, ...client);
  return (yield* run(`DELETE FROM client_sessions ${where}`, ...client)) === 1;
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
