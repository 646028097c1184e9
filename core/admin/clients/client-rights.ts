import { isDeepStrictEqual } from 'node:util';
import { BUILT_IN_CLIENTS, KEYHOST_ADMIN_CONSOLE } from '../../model/built-in-names.js';
import { MASTER_REALM, type Realm } from '../../model/realm.js';
import { isOpenPattern } from '../../model/redirect-pattern.js';
import type { ImpersonationRepresentation } from '../../model/representation.js';
import type { Users } from '../../users/users.js';
import { type Admin, badRequest, forbiddenError } from '../admin.js';
import type { AdminCall } from '../operation.js';
import type { ClientInput } from './client-input.js';
import { requireClient, type StoredClient } from './find-client.js';

/**
 * True if the caller may manage this client, and so act with its credentials. The client must not give the caller more
 * rights:
 *
 * - Its service account has no administration right that the caller lacks.
 * - If it may impersonate users, the caller may do so too.
 * - A built-in client of the realm requires all rights in the realm.
 *
 * This is stricter than Keycloak, where `manage-clients` suffices.
 */
export async function mayManageClient(
  users: Users,
  { admin, realm }: Pick<AdminCall, 'admin' | 'realm'>,
  client: StoredClient,
): Promise<boolean> {
  if (!admin.can(realm.name, 'manage-clients')) return false;
  // Admins sign in to these clients, so anyone who can change their redirect URIs could receive admin tokens.
  if (isBuiltInClient(realm, client) && !admin.isRealmAdmin(realm.name)) return false;
  if (client.impersonation?.enabled === true && !mayImpersonate(admin, realm, client.impersonation)) return false;
  if (client.serviceAccountsEnabled !== true || admin.isSuperAdmin) return true;
  const live = realm.clientsById.get(client.id);
  const account = live && (await users.serviceAccount(realm, live));
  return account === undefined || admin.covers(realm, account.effectiveRoles(realm));
}

/**
 * Returns the client of the path, if the caller may manage it.
 * @throws AdminError 404; 403
 */
export async function requireManagedClient(users: Users, call: AdminCall): Promise<StoredClient> {
  const client = requireClient(call.realm.representation, call.params.clientUuid);
  if (!(await mayManageClient(users, call, client))) throw forbiddenError();
  return client;
}

/**
 * Rejects client settings that are never allowed, or that require more than the right to manage clients.
 * @param before the client before the change
 * @throws AdminError 400; 403
 */
export function requireAllowedSettings(
  { admin, realm }: { admin: Pick<Admin, 'isSuperAdmin' | 'can' | 'isRealmAdmin'>; realm: Realm },
  input: ClientInput,
  before?: StoredClient,
): void {
  const { clientId, impersonation, redirectUris } = input;
  if (clientId === '') throw badRequest('clientId is required');
  // Client IDs are used as keys of objects.
  if (clientId === '__proto__') throw badRequest('No client can be called __proto__');
  if (clientId && clientId !== before?.clientId) {
    if (before !== undefined && isBuiltInClient(realm, before))
      throw badRequest('The client ID of a built-in client cannot be changed');
    // The roles of a client with this name are rights in another realm.
    if (isRealmClient(realm, clientId) && !admin.isSuperAdmin) throw forbiddenError();
    // Users would mistake a client with this name for the realm's own.
    if ([...BUILT_IN_CLIENTS, KEYHOST_ADMIN_CONSOLE].includes(clientId) && !admin.isRealmAdmin(realm.name))
      throw forbiddenError();
  }
  // As in Keycloak, admins may set an open wildcard, and the log warns of it. A client that registers itself may not:
  // it could redirect the logins of all users to any address.
  const addsOpenPattern = redirectUris?.some(isOpenPattern) && before?.redirectUris?.some(isOpenPattern) !== true;
  if (addsOpenPattern && !admin.can(realm.name, 'manage-clients')) {
    throw badRequest('redirectUris: a wildcard like this would allow every redirect URI');
  }
  const hasChanged = impersonation && !isDeepStrictEqual(impersonation, before?.impersonation);
  if (hasChanged && !mayImpersonate(admin, realm, impersonation)) throw forbiddenError();
}

/**
 * Impersonation with `subjects: "any"` includes admins. As in the Admin REST API, that requires all rights in the
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
export function isBuiltInClient(realm: Realm, { clientId }: { readonly clientId: string }): boolean {
  return BUILT_IN_CLIENTS.includes(clientId) || isRealmClient(realm, clientId);
}

/** True for a client in `master` that represents another realm. */
function isRealmClient(realm: Realm, clientId: string): boolean {
  return realm.name === MASTER_REALM && clientId.endsWith('-realm');
}
