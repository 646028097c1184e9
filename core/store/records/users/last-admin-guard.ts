import type { UserRepresentation } from '../../../model/representation.js';
import { all, get, type Operation, RollBack } from '../../engine/operation.js';
import type { LastAdminGuard, Membership } from '../../store.js';

/** Maximum number of users that are read at a time. */
const USERS_PER_READ = 100;

/** Returns the names of the locks that the guard needs. Writers of the realm take the same lock. */
export function lockNamesOfGuard(kept: LastAdminGuard | undefined): string[] {
  return kept === undefined ? [] : ['realm'];
}

/**
 * Runs `write`, and rolls it back if no holder is left. The caller must hold the locks of `lockNamesOfGuard`.
 * @returns `conflict` if the realm has changed since it was checked
 */
export function* withGuard<T>(
  realm: string,
  kept: LastAdminGuard | undefined,
  write: Operation<T>,
): Operation<T | 'conflict'> {
  if (kept === undefined) return yield* write;
  if (kept.realmVersion !== undefined) {
    const row = yield* get<{ version: number }>('SELECT version FROM realms WHERE name = $1', realm);
    if (row?.version !== kept.realmVersion) return 'conflict';
  }
  const wasHeld = yield* isHeld(realm, kept.before);
  const result = yield* write;
  if (wasHeld && !(yield* isHeld(realm, kept.after))) throw new RollBack('unheld');
  return result;
}

function* isHeld(realm: string, names: readonly Membership[]): Operation<boolean> {
  const sql =
    'SELECT u.representation FROM user_holdings h JOIN users u ON u.realm = h.realm AND u.id = h.user_id ' +
    'WHERE h.realm = $1 AND h.kind = $2 AND h.container = $3 AND h.name = $4 ' +
    "AND COALESCE(u.service_account_client, '') = '' ORDER BY h.user_id LIMIT $5 OFFSET $6";
  for (const { kind, container, name } of names) {
    for (let first = 0; ; first += USERS_PER_READ) {
      const users = yield* all<{ representation: string }>(sql, realm, kind, container, name, USERS_PER_READ, first);
      const isEnabled = users.some(({ representation }) => (JSON.parse(representation) as UserRepresentation).enabled);
      if (isEnabled) return true;
      if (users.length < USERS_PER_READ) break;
    }
  }
  return false;
}
