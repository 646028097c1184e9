import type { AdminEvent } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { MASTER_REALM, type Realm } from '../../model/realm.js';
import type { Realms } from '../../realms/realms.js';
import type { EventStore } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import type { Admin } from '../admin.js';

/**
 * How far back changes are searched, in milliseconds. For an older version the response has no details of the change.
 */
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
 * The latest admin event of a resource or of what it contains, if the realm saves admin events and the caller may see
 * them.
 * @param path of the resource below the realm, such as `users/{id}`, as in the request and in events
 * @param now milliseconds
 */
export async function lastChange(
  { realms, users, store }: LastChangeParts,
  { realm, admin, path, now }: { realm: Realm; admin: Admin; path: string; now: number },
): Promise<LastChange | undefined> {
  if (!admin.can(realm.name, 'view-events')) return undefined;
  const asked = { kind: 'admin', from: now - SEARCH_PERIOD_MS, max: 1 } as const;
  const patterns = path === '' ? [path] : [path, `${path}/*`];
  const found = await Promise.all(
    patterns.map((resourcePath) => store.events.query(realm.name, { ...asked, resourcePath })),
  );
  const [latest] = found.flat().sort((a, b) => b.time - a.time);
  if (latest === undefined) return undefined;
  const { time, operationType, resourcePath, authDetails } = JSON.parse(latest.body) as AdminEvent;
  // The path may itself contain an asterisk, so compare it literally.
  if (resourcePath !== path && !resourcePath.startsWith(`${path}/`)) return undefined;
  const { realmId, userId, clientId } = authDetails;
  const home = realm.id === realmId ? realm : await realms.get(MASTER_REALM);
  const mayName = home?.id === realmId && admin.can(home.name, 'view-users');
  const username = mayName ? (await users.byId(home, userId))?.username : undefined;
  return { time, operationType, resourcePath, userId, clientId, ...defined({ username }) };
}
