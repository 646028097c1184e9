import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import type { HostOptions } from '../../config/options/options.js';
import { KeyRing } from '../../keys/key-ring.js';
import { systemClock } from '../../model/clock.js';
import type { CheckedFile } from '../../realm-files/checked-file.js';
import { type ApplyServices, applyRealmFile } from '../../realms/apply-realm-file.js';
import { changes } from '../../realms/comparison/changes.js';
import { describeChange, describeConflict } from '../../realms/comparison/describe.js';
import { REALM_SHAPE } from '../../realms/comparison/realm-shape.js';
import { PublicAddress } from '../../realms/public-address.js';
import { Realms } from '../../realms/realms.js';
import { openStore } from '../../store/open-store.js';
import type { Store } from '../../store/store.js';
import { PasswordHasher } from '../../users/passwords/password.js';
import { Users } from '../../users/users.js';

/**
 * Applies the realms of a file to the store of a host that is stopped, or to the database of hosts.
 * @throws BootError `store_locked` when one runs; `master_key` when the realms' keys are encrypted with another one
 */
export async function applyCommand(options: HostOptions, files: readonly CheckedFile[]): Promise<void> {
  const { dataDir, masterKey } = options;
  const path = files[0]?.source.files[0]?.path ?? '';
  const store = await openStore(options).catch((error: unknown) => {
    throw error instanceof BootError && error.code === 'store_locked' ? hostRuns(dataDir, path, error) : error;
  });
  try {
    const passwords = new PasswordHasher({ onWarning: ({ message }) => process.stderr.write(`keyhost: ${message}\n`) });
    const services: ApplyServices = {
      store,
      realms: new Realms(store, new PublicAddress('')),
      users: new Users(store),
      keys: new KeyRing({ store: store.keys, clock: systemClock, masterKey }),
      passwords,
      clock: systemClock,
    };
    for (const file of files) await applyOne(file, path, services);
  } finally {
    await store.close();
  }
}

async function applyOne(file: CheckedFile, path: string, services: ApplyServices): Promise<void> {
  const { realm } = file.representation;
  const other = await otherFileOf(realm, path, services.store);
  // Keys that come with the file are not written in plain beside keys that are encrypted.
  await services.keys.realm(realm);
  const outcome = await applyRealmFile(file, services);
  if (outcome.outcome === 'unchanged') {
    process.stdout.write(`realm ${realm}: ${path} says what it said when it was applied; nothing is changed\n`);
  } else {
    const secrets = new Set(file.references.map(({ value }) => value));
    const { before, after, version, usersCreated, conflicts } = outcome;
    const users = usersCreated === 0 ? '' : `, ${usersCreated} ${usersCreated === 1 ? 'user' : 'users'} created`;
    const told = before === undefined ? [] : changes(REALM_SHAPE, before, after);
    const lines = [
      `realm ${realm}: ${path} is applied, version ${version}${users}`,
      ...told.map((change) => `  ${describeChange(change, { secrets })}`),
      ...conflicts.map((conflict) => `  ${describeConflict(conflict, { secrets })}`),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  if (other !== undefined) {
    process.stderr.write(`keyhost: ${other} makes the realm ${realm} too: a host that reads it applies it again\n`);
  }
}

/** The file that made the realm until now, when it is another one and still there. */
async function otherFileOf(realm: string, path: string, store: Store): Promise<string | undefined> {
  const before = (await store.realms.get(realm))?.source?.files[0]?.path;
  if (before === undefined || resolve(before) === resolve(path)) return undefined;
  return stat(before).then(
    () => before,
    () => undefined,
  );
}

function hostRuns(dataDir: string, path: string, cause: BootError): BootError {
  return new BootError('store_locked', `a Keyhost runs on ${dataDir}: it applies realm files itself`, {
    hint: `put ${path} into its realms folder; "keyhost realm plan" tells what that will change, GET /realms at its management port what came of it`,
    cause,
  });
}
