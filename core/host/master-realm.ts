import { randomUUID } from 'node:crypto';
import type { HostOptions } from '../config/options/options.js';
import { MASTER_REALM } from '../model/realm.js';
import type { UserRepresentation } from '../model/representation.js';
import { type ApplyServices, applyRealmFile } from '../realms/apply-realm-file.js';
import { addAdmin, adminExists, adminUser, refuseAdmin } from './add-admin.js';
import { type ConfiguredAdmin, configuredAdmin } from './configured-admin.js';
import { type NewAdmin, PendingBootstrapAdmin, randomPassword } from './pending-bootstrap-admin.js';

const DEFAULT_ADMIN = 'admin';

export interface MasterRealm {
  /** An admin whose generated password must be displayed now. */
  readonly newAdmin: NewAdmin | undefined;
  /** Call after displaying it: no later start will generate another. */
  onAdminDisplayed(): Promise<void>;
  /** True if no user can administer the host. */
  readonly lacksAdmin: boolean;
}

/**
 * The very first start creates the realm `master` with `admin-cli` and the bootstrap admin: the one that the options
 * name; in development else one with a random password, displayed once; in production else none. A later start creates
 * the named one only while `master` has no user at all, so a deleted admin is not restored. If a start was interrupted
 * before it displayed the password, the next one in development generates another. An admin named by the options then
 * replaces that admin.
 * @throws BootError `bootstrap_admin` if the named admin cannot be created
 */
export async function openMaster(options: HostOptions, services: ApplyServices): Promise<MasterRealm> {
  const { mode } = options;
  const named = configuredAdmin(options);
  const untold = new PendingBootstrapAdmin(services);
  const opened = (newAdmin?: NewAdmin, isUnmanned = false): MasterRealm => ({
    newAdmin,
    lacksAdmin: isUnmanned,
    onAdminDisplayed: async () => (newAdmin === undefined ? undefined : untold.forget()),
  });
  if ((await services.store.realms.get(MASTER_REALM)) === undefined) {
    const random = { username: DEFAULT_ADMIN, password: randomPassword() };
    const newAdmin = named === undefined && mode === 'start-dev' ? random : undefined;
    const id = randomUUID();
    await (newAdmin === undefined ? untold.forget() : untold.note(id));
    const admin = named === undefined ? newAdmin : await withPassword(named);
    await makeMaster(services, admin === undefined ? [] : [adminUser(admin, { id })]);
    return opened(newAdmin, admin === undefined);
  }
  const waiting = await untold.find();
  if (named !== undefined) {
    if (waiting !== undefined) {
      // Before deleting anything, because the password file may be unreadable.
      await named.password();
      await services.store.users.remove(MASTER_REALM, waiting.id);
      await untold.forget();
    }
    await makeNamed(services, named);
    return opened();
  }
  if (waiting !== undefined && mode === 'start-dev') return opened(await untold.renew(waiting));
  const others = (await services.store.users.count(MASTER_REALM)) - (waiting === undefined ? 0 : 1);
  return opened(undefined, others === 0);
}

async function makeNamed(services: ApplyServices, named: ConfiguredAdmin): Promise<void> {
  if ((await services.store.users.count(MASTER_REALM)) === 0)
    return addAdmin(services, adminUser(await withPassword(named)));
  if (!(await adminExists(services, named.username))) refuseAdmin(named.username);
}

async function withPassword({ username, password }: ConfiguredAdmin): Promise<{ username: string; password: string }> {
  return { username, password: await password() };
}

/** Creates the realm `master` with these users. */
export async function makeMaster(services: ApplyServices, users: readonly UserRepresentation[]): Promise<void> {
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
