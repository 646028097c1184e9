import { randomUUID } from 'node:crypto';
import type { HostOptions } from '../config/options/options.js';
import { MASTER_REALM } from '../model/realm.js';
import type { UserRepresentation } from '../model/representation.js';
import { type ApplyServices, applyRealmFile } from '../realms/apply-realm-file.js';
import { addAdmin, adminExists, throwAdminRefused, toAdminUser } from './add-admin.js';
import { type ConfiguredAdmin, readConfiguredAdmin } from './configured-admin.js';
import { type NewAdmin, PendingBootstrapAdmin, randomPassword } from './pending-bootstrap-admin.js';

const DEFAULT_ADMIN = 'admin';

export interface MasterRealm {
  /** An admin whose generated password must be displayed now; undefined if there is none. */
  readonly newAdmin: NewAdmin | undefined;
  /** Called after the password was displayed. Otherwise the next start generates a new password. */
  onAdminDisplayed(): Promise<void>;
  /** True if no user can administer the host. */
  readonly lacksAdmin: boolean;
}

/**
 * Creates the realm `master` on the very first start, with `admin-cli` and a bootstrap admin. This is the admin that
 * the options name. Without one, a development start creates an admin with a random password, which is displayed once;
 * a production start creates none.
 *
 * A later start creates the named admin only while `master` has no users, so that a deleted admin is not restored.
 *
 * If a start was interrupted before it displayed the password, the next one in development generates a new password. If
 * the options then name an admin, that one replaces the admin whose password was never displayed.
 * @throws BootError `bootstrap_admin` if the named admin cannot be created
 */
export async function openMaster(options: HostOptions, services: ApplyServices): Promise<MasterRealm> {
  const { mode } = options;
  const configuredAdmin = readConfiguredAdmin(options);
  const pendingAdmin = new PendingBootstrapAdmin(services);
  const toResult = (newAdmin?: NewAdmin, lacksAdmin = false): MasterRealm => ({
    newAdmin,
    lacksAdmin: lacksAdmin,
    onAdminDisplayed: async () => (newAdmin === undefined ? undefined : pendingAdmin.delete()),
  });
  if ((await services.store.realms.get(MASTER_REALM)) === undefined) {
    const generated = { username: DEFAULT_ADMIN, password: randomPassword() };
    const newAdmin = configuredAdmin === undefined && mode === 'start-dev' ? generated : undefined;
    const id = randomUUID();
    await (newAdmin === undefined ? pendingAdmin.delete() : pendingAdmin.write(id));
    const admin = configuredAdmin === undefined ? newAdmin : await withPassword(configuredAdmin);
    await createMaster(services, admin === undefined ? [] : [toAdminUser(admin, { id })]);
    return toResult(newAdmin, admin === undefined);
  }
  const pendingUser = await pendingAdmin.find();
  if (configuredAdmin !== undefined) {
    if (pendingUser !== undefined) {
      // Read the password before deleting anything, because its file may be unreadable.
      await configuredAdmin.password();
      await services.store.users.remove(MASTER_REALM, pendingUser.id);
      await pendingAdmin.delete();
    }
    await ensureConfiguredAdmin(services, configuredAdmin);
    return toResult();
  }
  if (pendingUser !== undefined && mode === 'start-dev') return toResult(await pendingAdmin.renew(pendingUser));
  const otherUsers = (await services.store.users.count(MASTER_REALM)) - (pendingUser === undefined ? 0 : 1);
  return toResult(undefined, otherUsers === 0);
}

async function ensureConfiguredAdmin(services: ApplyServices, configuredAdmin: ConfiguredAdmin): Promise<void> {
  if ((await services.store.users.count(MASTER_REALM)) === 0)
    return addAdmin(services, toAdminUser(await withPassword(configuredAdmin)));
  if (!(await adminExists(services, configuredAdmin.username))) throwAdminRefused(configuredAdmin.username);
}

async function withPassword({ username, password }: ConfiguredAdmin): Promise<{ username: string; password: string }> {
  return { username, password: await password() };
}

/** Creates the realm `master` with these users. */
export async function createMaster(services: ApplyServices, users: readonly UserRepresentation[]): Promise<void> {
  await applyRealmFile(
    {
      representation: { realm: MASTER_REALM, displayName: 'Keyhost', enabled: true, accessTokenLifespan: 60 },
      users,
      references: [],
      source: { files: [], hash: 'bootstrap' },
    },
    services,
  );
}
