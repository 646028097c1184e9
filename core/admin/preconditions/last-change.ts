import type { AdminEvent } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { MASTER_REALM, type Realm } from '../../model/realm.js';
import type { Realms } from '../../realms/realms.js';
import type { EventStore } from '../../store/store.js';
import type { Users } from '../../users/users.js';
import type { Admin } from '../admin.js';

/** How far back a change is looked for, in milliseconds: an editor that was open for longer is told that alone. */
const LOOKED_BACK_MS = 86_400_000;

export interface LastChangeParts {
  readonly realms: Realms;
  readonly users: Users;
  readonly store: { readonly events: EventStore };
}

/** What a 412 tells of the change that came between. */
export interface LastChange {
  readonly time: number;
  readonly operationType: string;
  readonly resourcePath: string;
  readonly userId: string;
  /** For who may see the users of the realm that it is one of. */
  readonly username?: string;
  /** The client's internal id. */
  readonly clientId: string;
}

/**
 * The latest admin event of a thing, or of what belongs to it, where the realm keeps them and the caller may see them.
 * @param path of the thing below the realm, such as `users/{id}`, as it stands in the request and in events
 * @param now milliseconds
 */
export async function lastChange(
  { realms, users, store }: LastChangeParts,
  { realm, admin, path, now }: { realm: Realm; admin: Admin; path: string; now: number },
): Promise<LastChange | undefined> {
  if (!admin.can(realm.name, 'view-events')) return undefined;
  const asked = { kind: 'admin', from: now - LOOKED_BACK_MS, max: 1 } as const;
  const patterns = path === '' ? [path] : [path, `${path}/*`];
  const found = await Promise.all(
    patterns.map((resourcePath) => store.events.query(realm.name, { ...asked, resourcePath })),
  );
  const [latest] = found.flat().sort((a, b) => b.time - a.time);
  if (latest === undefined) return undefined;
  const { time, operationType, resourcePath, authDetails } = JSON.parse(latest.body) as AdminEvent;
  // A path may have a star of its own.
  if (resourcePath !== path && !resourcePath.startsWith(`${path}/`)) return undefined;
  const { realmId, userId, clientId } = authDetails;
  const home = realm.id === realmId ? realm : await realms.get(MASTER_REALM);
  const mayName = home?.id === realmId && admin.can(home.name, 'view-users');
  const username = mayName ? (await users.byId(home, userId))?.username : undefined;
  return { time, operationType, resourcePath, userId, clientId, ...defined({ username }) };
}
