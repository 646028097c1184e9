import type { QueryKey } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request } from './request.ts';
import type { OwnedRole, Role } from './user-roles.ts';
import { USER_READERS, USER_WRITERS } from './users.ts';

/** A user or a group, which roles are assigned to. */
export interface RoleHolder {
  readonly realm: string;
  readonly kind: 'users' | 'groups';
  readonly id: string;
}

/** A role that can be assigned. */
export interface AssignableRole extends Role {
  /** The client ID for a role of a client. */
  readonly detail?: string;
  /** The internal ID of its client. */
  readonly clientUuid?: string;
}

/** Keycloak's MappingsRepresentation. */
interface Mappings {
  readonly realmMappings?: readonly OwnedRole[];
  readonly clientMappings?: Readonly<Record<string, { readonly mappings: readonly OwnedRole[] }>>;
}

const holderPath = ({ realm, kind, id }: RoleHolder) => `/realms/${encodeSegment(realm)}/${kind}/${encodeSegment(id)}`;

/** @param client the internal ID of the client that owns the roles; undefined for the realm's */
function mappingsPath(holder: RoleHolder, client: string | undefined): string {
  const container = client === undefined ? 'realm' : `clients/${encodeSegment(client)}`;
  return `${holderPath(holder)}/role-mappings/${container}`;
}

/** The roles of realm and clients that are assigned directly. */
export async function readMappings(holder: RoleHolder, signal: AbortSignal): Promise<readonly OwnedRole[]> {
  const path = `${holderPath(holder)}/role-mappings`;
  const { realmMappings = [], clientMappings = {} } = await request<Mappings>(path, { roles: USER_READERS, signal });
  const ofClients = Object.entries(clientMappings).flatMap(([client, { mappings }]) =>
    mappings.map((role) => ({ ...role, client })),
  );
  return [...realmMappings, ...ofClients];
}

/** Finds roles of realm and clients that can be assigned. @param key the key of the holder's data */
export function assignableRoles(key: QueryKey, holder: RoleHolder) {
  type Query = { readonly search: string; readonly max: number };
  const ofClients = async (query: Query, signal: AbortSignal) => {
    const path = `/realms/${encodeSegment(holder.realm)}/ui-ext/available-roles/${holder.kind}/${encodeSegment(holder.id)}`;
    const found = await request<readonly { id: string; role: string; client: string; clientId: string }[]>(path, {
      query: { first: 0, ...query },
      roles: USER_READERS,
      signal,
    });
    return found.map(({ id, role, client, clientId }) => ({ id, name: role, detail: client, clientUuid: clientId }));
  };
  return {
    key: [...key, 'assignable roles'],
    find: async (query: Query, signal: AbortSignal): Promise<readonly AssignableRole[]> => {
      const path = `${mappingsPath(holder, undefined)}/available`;
      const [ofRealm, others] = await Promise.all([
        request<readonly Role[]>(path, { query, roles: USER_READERS, signal }),
        ofClients(query, signal),
      ]);
      // Half of the places are for client roles, which many realm roles would otherwise hide.
      const placesOfRealm = Math.max(Math.ceil(query.max / 2), query.max - others.length);
      return [...ofRealm.slice(0, placesOfRealm), ...others].slice(0, query.max);
    },
  };
}

export function assignRole(holder: RoleHolder, { id, name, clientUuid }: AssignableRole): Promise<void> {
  const path = mappingsPath(holder, clientUuid);
  return request(path, { method: 'POST', body: [{ id, name }], roles: USER_WRITERS });
}

export function unassignRole(holder: RoleHolder, { id, name, clientRole, containerId }: OwnedRole): Promise<void> {
  const path = mappingsPath(holder, clientRole ? containerId : undefined);
  return request(path, { method: 'DELETE', body: [{ id, name }], roles: USER_WRITERS });
}
