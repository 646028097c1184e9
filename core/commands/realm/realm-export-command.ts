import { rename, writeFile } from 'node:fs/promises';
import { BootError } from '../../config/boot-error.js';
import type { UserRepresentation } from '../../model/representation.js';
import { exportForKeycloak, exportRealm } from '../../realms/export/export-realm.js';
import { formatStoreLocation, openStoreForReading, type ReadableStore } from '../../store/open-store.js';
import type { UserRecord } from '../../store/store.js';
import { type Command, EXIT_CODES, STORE_OPTIONS } from '../command.js';
import type { CommandLine } from '../command-line.js';

export const exportRealmFile: Command = {
  summary: 'Exports a live realm as a realm file',
  usage: 'NAME [--file FILE] [--users] [--secrets] [--for-keycloak]',
  details: `The file creates the same realm again. The order of its entries is stable. Private keys are not
exported. Also works while the server runs.`,
  examples: [
    'realm export demo',
    'realm export demo --users --secrets --file demo.json',
    'realm export demo --for-keycloak --file demo.json',
  ],
  options: [
    { flag: 'file', value: 'FILE', help: 'file to write; default: standard output' },
    { flag: 'users', help: 'users of the realm, too' },
    { flag: 'secrets', help: 'secrets of clients, providers and users, too' },
    {
      flag: 'for-keycloak',
      help: 'format for an import into Keycloak, with users, password hashes and secrets; standard error lists what Keycloak cannot import',
    },
  ],
  serverOptions: STORE_OPTIONS,
  notes: EXIT_CODES,
  needsArguments: true,
  run: exportRealmToFile,
};

interface ExportRequest {
  readonly realm: string;
  /** Undefined for standard output. */
  readonly file: string | undefined;
  readonly users: boolean;
  readonly secrets: boolean;
  /** True for a file that Keycloak can import, which contains users and secrets. */
  readonly forKeycloak: boolean;
}

/** @throws BootError `options_invalid` for a realm that does not exist, `store_failed` */
async function exportRealmToFile(line: CommandLine): Promise<void> {
  const request: ExportRequest = {
    realm: line.word('NAME'),
    file: line.value('file'),
    users: line.has('users'),
    secrets: line.has('secrets'),
    forKeycloak: line.has('for-keycloak'),
  };
  const options = line.server();
  const store = await openStoreForReading(options);
  if (store === undefined) {
    throw new BootError('options_invalid', `no store found in ${formatStoreLocation(options)}`, {
      hint: options.postgresql === undefined ? 'set --data-dir to its folder' : 'set --db-url to its database',
    });
  }
  try {
    const stored = await store.realms.withDeclaration(request.realm);
    if (stored === undefined) {
      const names = (await store.realms.list()).map(({ name }) => name).join(', ');
      throw new BootError('options_invalid', `realm "${request.realm}" not found in ${formatStoreLocation(options)}`, {
        hint: `it contains the realms ${names}`,
      });
    }
    const users = await usersOf(store, request);
    if (request.forKeycloak) {
      const { representation, leftOut } = exportForKeycloak(stored.representation, users);
      await write(`${JSON.stringify(representation, null, 2)}\n`, request.file);
      const omissions = leftOut.length === 0 ? 'nothing' : leftOut.join(', ');
      process.stderr.write(`keyhost: not exported, because Keycloak does not accept it: ${omissions}\n`);
      return;
    }
    const { representation, variables } = exportRealm(stored.representation, stored.declared, users, request);
    await write(`${JSON.stringify(representation, null, 2)}\n`, request.file);
    if (variables.length > 0) {
      const names = variables.join(', ');
      process.stderr.write(
        `keyhost: the file reads secrets of providers from ${names}; --secrets writes the secrets into the file\n`,
      );
    }
  } finally {
    await store.close();
  }
}

/** The number of users that one read of the store returns. */
const USERS_PER_READ = 1000;

/**
 * The users for the file, sorted by name. Without `--users` and `--for-keycloak`, these are only service accounts,
 * which belong to their clients.
 */
async function usersOf(
  store: ReadableStore,
  { realm, users, forKeycloak }: ExportRequest,
): Promise<UserRepresentation[]> {
  const all: UserRecord[] = [];
  for (let after = ''; ; after = all.at(-1)?.username ?? '') {
    const batch = await store.users.find(realm, { serviceAccounts: true, max: USERS_PER_READ, after });
    all.push(...batch);
    if (batch.length < USERS_PER_READ) break;
  }
  return all
    .filter(({ serviceAccountClientId }) => users || forKeycloak || serviceAccountClientId !== undefined)
    .map(({ representation }) => representation);
}

/**
 * Writes the text to standard output, or to a file that only its owner can read. The file is replaced atomically, since
 * a host may watch its folder.
 */
async function write(text: string, file: string | undefined): Promise<void> {
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  const draft = `${file}.new`;
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
  } catch (cause) {
    throw new BootError('options_invalid', `cannot write ${file} (${(cause as NodeJS.ErrnoException).code})`, {
      hint: 'choose a file in a writable folder',
      cause,
    });
  }
}
