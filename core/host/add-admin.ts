import { BootError } from '../config/boot-error.js';
import { MASTER_REALM, Realm } from '../model/realm.js';
import type { UserRepresentation } from '../model/representation.js';
import { User } from '../model/user.js';
import { userRecords } from '../realms/file-users.js';
import type { Store } from '../store/store.js';
import type { PasswordHasher } from '../users/passwords/password-hasher.js';

const ADMIN_ROLE = 'admin';

export interface AdminServices {
  readonly store: Store;
  readonly passwords: PasswordHasher;
  readonly clock: { now(): number };
}

/** Returns an admin of `master`, who has every right over every realm. */
export function toAdminUser(
  { username, password }: { readonly username: string; readonly password: string },
  otherMembers: Partial<UserRepresentation> = {},
): UserRepresentation {
  return {
    username,
    enabled: true,
    realmRoles: [ADMIN_ROLE, `default-roles-${MASTER_REALM}`],
    credentials: [{ type: 'password', value: password }],
    ...otherMembers,
  };
}

/**
 * Creates an admin in `master`.
 * @throws BootError `bootstrap_admin` if a user with this name or ID already exists
 */
export async function addAdmin(services: AdminServices, user: UserRepresentation): Promise<void> {
  for (const record of await userRecords(MASTER_REALM, [{ user }], services)) {
    const written = await services.store.users.put(record, { expectedVersion: 0, emailUnique: true });
    if (typeof written === 'object' && !('exists' in written)) continue;
    const takenAttribute = typeof written === 'string' ? 'id' : written.exists;
    throw adminError(
      `a user with the ${takenAttribute} of ${user.username} already exists in the realm master`,
      'choose another name',
    );
  }
}

/**
 * True if the bootstrap admin of the options already exists with the role `admin`, because an earlier start with the
 * same options has created it.
 * @throws BootError `bootstrap_admin` if another user has this name
 */
export async function adminExists({ store }: AdminServices, username: string): Promise<boolean> {
  const record = await store.users.byUsername(MASTER_REALM, username.toLowerCase());
  if (record === undefined) return false;
  const master = await store.realms.get(MASTER_REALM);
  if (master === undefined) return false;
  const roles = new User(record).effectiveRoles(new Realm(master, ''));
  if ([...roles].some(({ name, clientId }) => name === ADMIN_ROLE && clientId === undefined)) return true;
  throw adminError(
    `the user ${username} already exists in the realm master, without the role admin`,
    REMOVE_OPTION_HINT,
  );
}

/** @throws BootError `bootstrap_admin`, because `master` already has users */
export function throwAdminRefused(username: string): never {
  throw adminError(`cannot create ${username}: the realm master already has users`, REMOVE_OPTION_HINT);
}

const REMOVE_OPTION_HINT =
  'start without --bootstrap-admin-username. If no admin can sign in, run keyhost bootstrap-admin user while the server is stopped';

function adminError(message: string, hint: string): BootError {
  return new BootError('bootstrap_admin', `the bootstrap admin: ${message}`, { hint });
}
