import { rename, writeFile } from 'node:fs/promises';
import { BootError } from '../../config/boot-error.js';
import type { HostOptions } from '../../config/options/options.js';
import type { UserRepresentation } from '../../model/representation.js';
import { exportForKeycloak, exportRealm } from '../../realms/export/export-realm.js';
import { openStoreForReading, placeOf, type ReadableStore } from '../../store/open-store.js';

export interface ExportRequest {
  readonly realm: string;
  /** Standard output without it. */
  readonly file: string | undefined;
  readonly users: boolean;
  readonly secrets: boolean;
  /** True: as Keycloak imports it, with users and secrets. */
  readonly keycloak: boolean;
}

/** @throws BootError `options_invalid` for a realm that there is not, `store_failed` */
export async function exportCommand(options: HostOptions, request: ExportRequest): Promise<void> {
  const store = await openStoreForReading(options);
  if (store === undefined) {
    throw new BootError('options_invalid', `there is no store in ${placeOf(options)}`, {
      hint: options.postgresql === undefined ? 'name its folder by --data-dir' : 'name its database by --db-url',
    });
  }
  try {
    const found = await store.realms.withDeclaration(request.realm);
    if (found === undefined) {
      const names = (await store.realms.list()).map(({ name }) => name).join(', ');
      throw new BootError('options_invalid', `there is no realm "${request.realm}" in ${placeOf(options)}`, {
        hint: `it holds ${names}`,
      });
    }
    const users = await usersOf(store, request);
    if (request.keycloak) {
      const { representation, leftOut } = exportForKeycloak(found.representation, users);
      await write(`${JSON.stringify(representation, null, 2)}\n`, request.file);
      const what = leftOut.length === 0 ? 'nothing' : leftOut.join(', ');
      process.stderr.write(`keyhost: left out, since Keycloak refuses it: ${what}\n`);
      return;
    }
    const { representation, variables } = exportRealm(found.representation, found.declared, users, request);
    await write(`${JSON.stringify(representation, null, 2)}\n`, request.file);
    if (variables.length > 0) {
      const names = variables.join(', ');
      process.stderr.write(`keyhost: secrets that providers need are read from ${names}; --secrets writes them out\n`);
    }
  } finally {
    await store.close();
  }
}

/** By name; without `--users` the service accounts alone, which are part of their clients. */
async function usersOf(store: ReadableStore, { realm, users, keycloak }: ExportRequest): Promise<UserRepresentation[]> {
  const all = await store.users.find(realm, { serviceAccounts: true, max: await store.users.count(realm) });
  return all
    .filter(({ serviceAccountClientId }) => users || keycloak || serviceAccountClientId !== undefined)
    .map(({ representation }) => representation);
}

/** For its owner alone, and at once: a host may be following the folder. */
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
    throw new BootError('options_invalid', `${file} cannot be written (${(cause as NodeJS.ErrnoException).code})`, {
      hint: 'name a file in a folder that may be written to',
      cause,
    });
  }
}
