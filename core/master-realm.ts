import { randomBytes } from 'node:crypto';
import type { HostOptions } from './config/options.js';
import { MASTER_REALM } from './model/realm.js';
import type { UserRepresentation } from './model/representation.js';
import { type ApplyServices, applyRealmFile } from './realms/apply-realm-file.js';
import { userRecords } from './realms/file-users.js';

const DEFAULT_ADMIN = 'admin';

/**
 * On the very first start the realm `master` comes into being with `admin-cli` and the bootstrap admin: the one that
 * the options name; in development else one with a random password, told once; in production else none. A later start
 * makes the one that the options name while `master` has no user at all: nobody who was removed comes back.
 * @returns whether it came into being now, an admin whose password has to be told, and whether nobody administers the host
 */
export async function createMaster(
  options: HostOptions,
  services: ApplyServices,
): Promise<{
  isNew: boolean;
  newAdmin: { username: string; password: string } | undefined;
  isUnmanned: boolean;
}> {
  const { bootstrapAdminUsername, bootstrapAdminPassword, mode } = options;
  const given = bootstrapAdminUsername !== undefined && bootstrapAdminPassword !== undefined;
  const admin = given
    ? { username: bootstrapAdminUsername, password: bootstrapAdminPassword }
    : mode === 'start-dev'
      ? { username: DEFAULT_ADMIN, password: randomBytes(18).toString('base64url') }
      : undefined;
  const { realms, users: store } = services.store;
  const users = admin === undefined ? [] : [adminUser(admin)];
  if ((await realms.get(MASTER_REALM)) !== undefined) {
    const isEmpty = (await store.count(MASTER_REALM)) === 0;
    if (isEmpty && given) {
      for (const record of await userRecords(
        MASTER_REALM,
        users.map((user) => ({ user })),
        services,
      )) {
        await store.put(record, { expectedVersion: 0, emailUnique: true });
      }
    }
    return { isNew: false, newAdmin: undefined, isUnmanned: isEmpty && !given };
  }
  await applyRealmFile(
    {
      representation: { realm: MASTER_REALM, displayName: 'Keyhost', enabled: true, accessTokenLifespan: 60 },
      users,
      references: [],
      source: { files: [], hash: 'bootstrap' },
    },
    services,
  );
  return { isNew: true, newAdmin: given ? undefined : admin, isUnmanned: admin === undefined };
}

function adminUser({ username, password }: { username: string; password: string }): UserRepresentation {
  return {
    username,
    enabled: true,
    realmRoles: ['admin', `default-roles-${MASTER_REALM}`],
    credentials: [{ type: 'password', value: password }],
  };
}
