import { queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { scopeKey, scopePath, scopesKey } from './client-scopes.ts';
import { CLIENT_READERS, CLIENT_WRITERS } from './clients.ts';
import { request } from './request.ts';
import type { FoundRole, ListedRole } from './roles.ts';
import type { Role } from './user-roles.ts';

/** A role that limits a client scope. */
export interface ScopeRole extends ListedRole {
  /** The client ID for a role of a client. */
  readonly client?: string;
}

/** Keycloak's MappingsRepresentation. */
interface Mappings {
  readonly realmMappings?: readonly ListedRole[];
  readonly clientMappings?: Readonly<Record<string, { readonly client: string; readonly mappings: ListedRole[] }>>;
}

const mappingsPath = (realm: string, id: string) => `${scopePath(realm, id)}/scope-mappings`;

/** The roles that limit a client scope, of the realm and of clients. */
export function scopeRoles(realm: string, id: string) {
  return queryOptions({
    queryKey: [...scopeKey(realm, id), 'roles'],
    queryFn: async ({ signal }): Promise<readonly ScopeRole[]> => {
      const found = await request<Mappings>(mappingsPath(realm, id), { roles: CLIENT_READERS, signal });
      const clients = Object.values(found.clientMappings ?? {});
      return [
        ...(found.realmMappings ?? []),
        ...clients.flatMap(({ client, mappings }) => mappings.map((role) => ({ ...role, client }))),
      ];
    },
  });
}

/** Finds roles that can limit a client scope. */
export function scopeRoleSearch(realm: string, id: string) {
  type Query = { readonly search: string; readonly max: number };
  return {
    // Not below the key of the client scope: reading the choices again while the user picks one would lose the choice.
    key: [...scopesKey(realm), 'available roles', id],
    find: async (query: Query, signal: AbortSignal): Promise<readonly FoundRole[]> => {
      const roles = CLIENT_READERS;
      const clientsPath = `/realms/${encodeSegment(realm)}/ui-ext/available-roles/clientScopes/${encodeSegment(id)}`;
      const [ofRealm, ofClients] = await Promise.all([
        request<readonly Role[]>(`${mappingsPath(realm, id)}/realm/available`, { query, roles, signal }),
        request<readonly { id: string; role: string; client: string }[]>(clientsPath, { query, roles, signal }),
      ]);
      return [
        ...ofRealm,
        ...ofClients.map(({ id: roleId, role, client }) => ({ id: roleId, name: role, detail: client })),
      ];
    },
  };
}

/** Limits a client scope to users with the role, in addition to those with its other roles. */
export async function addScopeRole(realm: string, id: string, { id: roleId }: Role): Promise<void> {
  const path = `/realms/${encodeSegment(realm)}/roles-by-id/${encodeSegment(roleId)}`;
  const role = await request<ListedRole>(path, { roles: ['view-realm', 'view-clients'] });
  return changeRoles(realm, id, { method: 'POST', role });
}

export function removeScopeRole(realm: string, id: string, role: ScopeRole): Promise<void> {
  return changeRoles(realm, id, { method: 'DELETE', role });
}

function changeRoles(
  realm: string,
  id: string,
  { method, role }: { method: 'POST' | 'DELETE'; role: ListedRole },
): Promise<void> {
  const container = role.clientRole ? `clients/${encodeSegment(role.containerId)}` : 'realm';
  const body = [{ id: role.id, name: role.name }];
  return request(`${mappingsPath(realm, id)}/${container}`, { method, body, roles: CLIENT_WRITERS });
}
