import type { RealmRepresentation } from './representation.js';

/** The name of the role that every new user gets. */
export function defaultRoleName({ realm, defaultRole }: Pick<RealmRepresentation, 'realm' | 'defaultRole'>): string {
  return defaultRole?.name ?? `default-roles-${realm.toLowerCase()}`;
}
