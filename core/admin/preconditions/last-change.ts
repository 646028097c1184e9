import type { AdminEvent } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { MASTER_REALM, type Realm } from '../../model/realm.js';
import type { Realms } from '../../realms/realms.js';
import type { EventStore } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import type { Admin } from '../admin.js';

/** Period in which changes are searched, in milliseconds. For an older change the response has no details. */
const SEARCH_PERIOD_MS = 86_400_000;

export interface LastChangeParts {
  readonly realms: Realms;
  readonly users: Users;
  readonly store: { readonly events: EventStore };
}

/** Details of the conflicting change in a 412 response. */
export interface LastChange {
  readonly time: number;
  readonly operationType: string;
  readonly resourcePath: string;
  readonly userId: string;
  /** Only for callers who may see the users of that admin's realm. */
  readonly username?: string;
  /** The client's internal ID. */
  readonly clientId: string;
}

/**
 * Finds the latest admin event of a resource or of what it contains, if the realm saves admin events and the caller may
 * see them.
 * @param path the path of the resource below the realm, such as `users/{id}`, as in the request and in events
 * @param now milliseconds since the epoch
 */
export async function findLastChange(
  { realms, users, store }: LastChangeParts,
  { realm, admin, path, now }: { realm: Realm; admin: Admin; path: string; now: number },
): Promise<LastChange | undefined> {
  if (!admin.can(realm.name, 'view-events')) return undefined;
  const range = { kind: 'admin', from: now - SEARCH_PERIOD_MS, max: 1 } as const;
  const patterns = path === '' ? [path] : [path, `${path}/*`];
  const events = await Promise.all(
    patterns.map((resourcePath) => store.events.query(realm.name, { ...range, resourcePath })),
  );
  const [latest] = events.flat().sort((a, b) => b.time - a.time);
  if (latest === undefined) return undefined;
  const { time, operationType, resourcePath, authDetails } = JSON.parse(latest.body) as AdminEvent;
  // The path may itself contain an asterisk, so compare it literally.
  if (resourcePath !== path && !resourcePath.startsWith(`${path}/`)) return undefined;
  const { realmId, userId, clientId } = authDetails;
  const adminRealm = realm.id === realmId ? realm : await realms.get(MASTER_REALM);
  const maySeeUser = adminRealm?.id === realmId && admin.can(adminRealm.name, 'view-users');
  const username = maySeeUser ? (await users.byId(adminRealm, userId))?.username : undefined;
  return { time, operationType, resourcePath, userId, clientId, ...defined({ username }) };
}
