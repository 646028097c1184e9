import type { Logger } from '@keyhost/spi';
import { BootError } from './config/boot-error.js';
import type { HostOptions } from './config/options.js';
import type { Problem } from './config/problem.js';
import {
  type FileState,
  findRealmFiles,
  type RealmFileGroup,
  readRealmFile,
  realmInvalid,
} from './config/realm-files.js';
import { checkProductionRealm, openProviders } from './production-checks.js';
import { type ApplyServices, applyRealmFile } from './realms/apply-realm-file.js';
import { realmFileMistakes } from './realms/realm-file-checks.js';
import type { ProviderRegistry } from './registry/registry.js';

/**
 * Reads the realms folder at start and applies what changed: every file is checked before any is applied. In development
 * a file whose size, time and inode are those last applied is not read at all.
 * @throws BootError `realm_invalid` with the problems of all files, `production_unsafe`
 */
export async function applyRealmFiles(
  options: HostOptions,
  env: Readonly<Record<string, string | undefined>>,
  registry: ProviderRegistry,
  apply: ApplyServices,
  logger: Logger,
  someLeftOut: boolean,
): Promise<void> {
  const providers = registry
    .list()
    .map(({ spi, id, realmConfig }) => ({ spi: spi.id, id, enabledBy: spi.enabledBy, realmConfig }));
  const read = (group: RealmFileGroup) =>
    readRealmFile(group, { env, providers, someLeftOut, inspect: realmFileMistakes });
  const stored = await apply.store.realms.list();
  const byPath = new Map(stored.map((realm) => [realm.source?.files[0]?.path, realm]));
  const byName = new Map(stored.map((realm) => [realm.name, realm]));
  const seen = new Map<string, string>();
  const changed: RealmFileGroup[] = [];
  const problems: Problem[] = [];
  for (const group of await findRealmFiles(options.realmsDir)) {
    const known = byPath.get(group.main.path);
    // Production looks at every file at each start: its environment may have changed although the file did not.
    if (
      options.mode === 'start-dev' &&
      known !== undefined &&
      isUnchanged(known.source?.files ?? [], [group.main, ...group.users])
    ) {
      seen.set(known.name, group.main.path);
      continue;
    }
    const file = await read(group).catch((error: unknown) => {
      if (!(error instanceof BootError)) throw error;
      problems.push(...error.problems);
    });
    if (file === undefined) continue;
    const { realm } = file.representation;
    const other = seen.get(realm);
    if (other !== undefined) {
      const message = `the realm "${realm}" is also in ${other}`;
      problems.push({ file: group.main.path, ...file.nameAt, path: 'realm', message });
      continue;
    }
    seen.set(realm, group.main.path);
    const open = openProviders(file.representation, registry);
    checkProductionRealm(options, file, open);
    for (const provider of open) logger.warn(`realm ${realm}: ${provider} answers without authentication`);
    if (file.unknownKeys.length > 0) {
      logger.info(`realm ${realm}: keys that Keyhost does not act on are kept`, { keys: [...file.unknownKeys] });
    }
    if (byName.get(realm)?.source?.hash === file.source.hash) await applyRealmFile(file, apply);
    else changed.push(group);
  }
  if (problems.length > 0) throw realmInvalid(problems);
  // Read once more: thousands of them at once would not fit into memory.
  for (const group of changed) await applyRealmFile(await read(group), apply);
}

function isUnchanged(before: readonly FileState[], now: readonly FileState[]): boolean {
  return (
    before.length === now.length &&
    now.every((file, index) => {
      const old = before[index];
      return (
        old?.path === file.path && old.size === file.size && old.mtimeMs === file.mtimeMs && old.inode === file.inode
      );
    })
  );
}
