import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { KeyRing } from '../../keys/key-ring.js';
import { systemClock } from '../../model/clock.js';
import type { CheckedFile } from '../../realm-files/checked-file.js';
import { type ApplyServices, applyRealmFile } from '../../realms/apply-realm-file.js';
import { findChanges } from '../../realms/comparison/changes.js';
import { describeChange, describeConflict } from '../../realms/comparison/describe.js';
import { REALM_SHAPE } from '../../realms/comparison/realm-shape.js';
import { PublicAddress } from '../../realms/public-address.js';
import { Realms } from '../../realms/realms.js';
import { openStore } from '../../store/open-store.js';
import type { Store } from '../../store/store.js';
import { HashFormats } from '../../users/passwords/hash-formats.js';
import { PasswordHasher } from '../../users/passwords/password-hasher.js';
import { Users } from '../../users/users.js';
import { type Command, EXIT_CODES, MASTER_KEY_OPTIONS, STORE_OPTIONS } from '../command.js';
import type { CommandLine } from '../command-line.js';
import { CHECK_OPTIONS, checkedFile, PRODUCTION } from './file-checks.js';

export const apply: Command = {
  summary: 'Applies a realm file while the server is stopped',
  usage: 'FILE [--production]',
  details: 'A running server applies the files in its realms folder: copy the file there instead.',
  examples: [
    'realm apply realms/demo.json',
    'realm apply realms/demo.json --production',
    'realm apply realms/demo.json --data-dir /var/lib/keyhost',
  ],
  options: [PRODUCTION],
  serverOptions: [...STORE_OPTIONS, ...MASTER_KEY_OPTIONS, ...CHECK_OPTIONS],
  notes: EXIT_CODES,
  needsArguments: true,
  run: applyFile,
};

/**
 * @throws BootError `store_locked` if a server runs; `master_key` if the realms' keys are encrypted with another key
 */
async function applyFile(line: CommandLine): Promise<void> {
  const { files } = await checkedFile(line);
  const options = line.server();
  const { dataDir, masterKey } = options;
  const path = files[0]?.source.files[0]?.path ?? '';
  const store = await openStore(options).catch((error: unknown) => {
    throw error instanceof BootError && error.code === 'store_locked'
      ? serverRunningError(dataDir, path, error)
      : error;
  });
  try {
    const passwords = new PasswordHasher({
      formats: new HashFormats(store, systemClock),
      onWarning: ({ message }) => process.stderr.write(`keyhost: ${message}\n`),
    });
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
  const otherFile = await otherFileOf(realm, path, services.store);
  // Check the master key first. Without it, keys in the file would be stored in plain text next to encrypted ones.
  await services.keys.realm(realm);
  const outcome = await applyRealmFile(file, services);
  if (outcome.outcome === 'unchanged') {
    process.stdout.write(`realm ${realm}: nothing to change, ${path} is already applied\n`);
  } else {
    const secrets = new Set(file.references.map(({ value }) => value));
    const { before, after, version, usersCreated, conflicts } = outcome;
    const users = usersCreated === 0 ? '' : `, ${usersCreated} ${usersCreated === 1 ? 'user' : 'users'} created`;
    const changes = before === undefined ? [] : findChanges(REALM_SHAPE, before, after);
    const lines = [
      `realm ${realm}: applied ${path}, version ${version}${users}`,
      ...changes.map((change) => `  ${describeChange(change, { secrets })}`),
      ...conflicts.map((conflict) => `  ${describeConflict(conflict, { secrets })}`),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  if (otherFile !== undefined) {
    process.stderr.write(
      `keyhost: ${otherFile} also defines the realm ${realm}: a server that reads it applies it again\n`,
    );
  }
}

/** The file from which the realm was last applied, if it is another file and still exists. */
async function otherFileOf(realm: string, path: string, store: Store): Promise<string | undefined> {
  const before = (await store.realms.get(realm))?.source?.files[0]?.path;
  if (before === undefined || resolve(before) === resolve(path)) return undefined;
  return stat(before).then(
    () => before,
    () => undefined,
  );
}

function serverRunningError(dataDir: string, path: string, cause: BootError): BootError {
  return new BootError('store_locked', `a running server uses ${dataDir}; it applies realm files itself`, {
    hint: `copy ${path} into its realms folder; "keyhost realm plan" prints the changes, GET /realms on its management port the result`,
    cause,
  });
}
