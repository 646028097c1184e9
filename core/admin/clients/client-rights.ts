import { isDeepStrictEqual } from 'node:util';
import { BUILT_IN_CLIENTS, KEYHOST_ADMIN_CONSOLE } from '../../model/built-in-names.js';
import { MASTER_REALM, type Realm } from '../../model/realm.js';
import { isOpenPattern } from '../../model/redirect-pattern.js';
import type { ImpersonationRepresentation } from '../../model/representation.js';
import type { Users } from '../../users/users.js';
import { type Admin, badRequest, forbidden } from '../admin.js';
import type { AdminCall } from '../operation.js';
import type { ClientInput } from './client-input.js';
import { clientWithId, type StoredClient } from './find-client.js';

/**
 * True if the caller may manage this client, and so act with its credentials. The client must not give the caller more
 * rights:
 *
 * - Its service account holds no administration right that the caller lacks.
 * - If it may impersonate, the caller may do so too.
 * - The realm's built-in clients require the rights to do everything in the realm.
 *
 * Stricter than Keycloak, where `manage-clients` suffices.
 */
export async function mayManage(
  users: Users,
  { admin, realm }: Pick<AdminCall, 'admin' | 'realm'>,
  client: StoredClient,
): Promise<boolean> {
  if (!admin.can(realm.name, 'manage-clients')) return false;
  // Every admin signs in to these clients, so an author of their redirect URIs could receive admin tokens.
  if (isBuiltIn(realm, client) && !admin.isRealmAdmin(realm.name)) return false;
  if (client.impersonation?.enabled === true && !mayImpersonate(admin, realm, client.impersonation)) return false;
  if (client.serviceAccountsEnabled !== true || admin.isSuperAdmin) return true;
  const compiled = realm.clientsById.get(client.id);
  const account = compiled && (await users.serviceAccount(realm, compiled));
  return account === undefined || admin.covers(realm, account.effectiveRoles(realm));
}

/**
 * The client of the path, if the caller may manage it.
 * @throws AdminError 404; 403
 */
export async function managedClient(users: Users, call: AdminCall): Promise<StoredClient> {
  const client = clientWithId(call.realm.representation, call.params.clientUuid);
  if (!(await mayManage(users, call, client))) throw forbidden();
  return client;
}

/**
 * Rejects client settings that are never allowed, or that need more than the right to manage clients.
 * @param before the client before the change
 * @throws AdminError 400; 403
 */
export function requireAllowedSettings(
  { admin, realm }: { admin: Pick<Admin, 'isSuperAdmin' | 'can' | 'isRealmAdmin'>; realm: Realm },
  sent: ClientInput,
  before?: StoredClient,
): void {
  const { clientId, impersonation, redirectUris } = sent;
  if (clientId === '') throw badRequest('clientId is required');
  // Client IDs are used as keys of objects.
  if (clientId === '__proto__') throw badRequest('No client can be called __proto__');
  if (clientId && clientId !== before?.clientId) {
    if (before !== undefined && isBuiltIn(realm, before))
      throw badRequest('The client ID of a built-in client cannot be changed');
    // The roles of a client with this name are rights over another realm.
    if (isOfRealm(realm, clientId) && !admin.isSuperAdmin) throw forbidden();
    // Users would take a client with this name for the realm's own.
    if ([...BUILT_IN_CLIENTS, KEYHOST_ADMIN_CONSOLE].includes(clientId) && !admin.isRealmAdmin(realm.name))
      throw forbidden();
  }
  // As in Keycloak, admins may set an open wildcard, and the log warns of it. A client that registers itself may not:
  // it could send the logins of all users to any address.
  const isNew = redirectUris?.some(isOpenPattern) && before?.redirectUris?.some(isOpenPattern) !== true;
  if (isNew && !admin.can(realm.name, 'manage-clients')) {
    throw badRequest('redirectUris: a wildcard like this would allow every redirect URI');
  }
  const changed = impersonation && !isDeepStrictEqual(impersonation, before?.impersonation);
  if (changed && !mayImpersonate(admin, realm, impersonation)) throw forbidden();
}

/**
 * With `subjects: "any"` a client can act as admins too. As in the Admin REST API, that requires all rights in the
 * realm.
 */
function mayImpersonate(
  admin: Pick<Admin, 'can' | 'isRealmAdmin'>,
  { name }: Realm,
  { subjects }: ImpersonationRepresentation,
): boolean {
  return subjects === 'any' ? admin.isRealmAdmin(name) : admin.can(name, 'impersonation');
}

/** True for a client that the realm itself needs. It can be neither renamed nor removed. */
export function isBuiltIn(realm: Realm, { clientId }: { readonly clientId: string }): boolean {
  return BUILT_IN_CLIENTS.includes(clientId) || isOfRealm(realm, clientId);
}

/** True for a client in `master` that represents another realm. */
function isOfRealm(realm: Realm, clientId: string): boolean {
  return realm.name === MASTER_REALM && clientId.endsWith('-realm');
}
