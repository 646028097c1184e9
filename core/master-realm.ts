import { randomBytes } from 'node:crypto';
import type { HostOptions } from './config/options.js';
import { MASTER_REALM } from './model/realm.js';
import { type ApplyServices, applyRealmFile } from './realms/apply-realm-file.js';

const DEFAULT_ADMIN = 'admin';

/**
 * On the very first start the realm `master` comes into being with `admin-cli` and the bootstrap admin: the one that
 * the options name; in development else one with a random password, told once; in production else none.
 * @returns whether it came into being now, and an admin whose password has to be told
 */
export async function createMaster(
  options: HostOptions,
  services: ApplyServices,
): Promise<{ isNew: boolean; newAdmin: { username: string; password: string } | undefined }> {
  if ((await services.store.realms.get(MASTER_REALM)) !== undefined) return { isNew: false, newAdmin: undefined };
  const { bootstrapAdminUsername, bootstrapAdminPassword, mode } = options;
  const given = bootstrapAdminUsername !== undefined && bootstrapAdminPassword !== undefined;
  const admin = given
    ? { username: bootstrapAdminUsername, password: bootstrapAdminPassword }
    : mode === 'start-dev'
      ? { username: DEFAULT_ADMIN, password: randomBytes(18).toString('base64url') }
      : undefined;
  await applyRealmFile(
    {
      representation: { realm: MASTER_REALM, displayName: 'Keyhost', enabled: true, accessTokenLifespan: 60 },
      users:
        admin === undefined
          ? []
          : [
              {
                username: admin.username,
                enabled: true,
                realmRoles: ['admin', `default-roles-${MASTER_REALM}`],
                credentials: [{ type: 'password', value: admin.password }],
              },
            ],
      references: [],
      source: { files: [], hash: 'bootstrap' },
    },
    services,
  );
  return { isNew: true, newAdmin: given ? undefined : admin };
}
