import { MASTER_REALM } from '../model/realm.js';
import type { RealmRepresentation } from '../model/representation.js';
import { realmClientId } from '../realms/realm-client.js';
import { forbiddenError, isAdminRole } from './admin.js';
import type { AdminOperation } from './operation.js';
import { type RoleWithClient, rolesById } from './roles/role-with-client.js';

/**
 * Rejects changes, by any caller, of the clients and roles that define administration rights. These are the client
 * `realm-management` and its roles. In `master` these are also `admin`, `create-realm`, and the clients of other
 * realms. Keycloak 26.7.3 answers each of these changes with 403. Assigning the roles to users, groups and other roles
 * remains possible.
 * @param realms returns the names of all realms
 * @throws AdminError 403
 */
export function refuseAdminRoleChange(
  { method, path }: Pick<AdminOperation, 'method' | 'path'>,
  params: Readonly<Record<string, string>>,
  realm: RealmRepresentation,
  realms: () => readonly string[],
): void {
  if (method === 'GET') return;
  const isAdminClient = (clientId: string | undefined) =>
    clientId === 'realm-management' ||
    (realm.realm === MASTER_REALM && realms().some((name) => realmClientId(name) === clientId));
  const isRealmAdminRole = (name: string) => isAdminRole({ name: realm.realm }, { clientId: undefined, name });
  const isProtected = ({ clientId, role }: RoleWithClient) =>
    clientId === undefined ? isRealmAdminRole(role.name) : isAdminClient(clientId);
  if (path.startsWith('/clients/{clientUuid}')) {
    const client = realm.clients?.find(({ id }) => id === params.clientUuid);
    if (isAdminClient(client?.clientId)) throw forbiddenError();
  } else if (path.startsWith('/roles-by-id/{roleId}')) {
    const roleWithClient = rolesById(realm).get(params.roleId ?? '');
    if (roleWithClient !== undefined && isProtected(roleWithClient)) throw forbiddenError();
  } else if (path.startsWith('/roles/{roleName}') && isRealmAdminRole(params.roleName ?? '')) {
    throw forbiddenError();
  }
}
