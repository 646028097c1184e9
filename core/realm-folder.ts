import type { Logger } from '@keyhost/spi';
import { BootError } from './config/boot-error.js';
import type { HostOptions } from './config/options.js';
import { type FileState, findRealmFiles, readRealmFile } from './config/realm-files.js';
import { checkProductionRealm, openProviders } from './production-checks.js';
import { type ApplyServices, applyRealmFile } from './realms/apply-realm-file.js';
import type { ProviderRegistry } from './registry/registry.js';

/**
 * Reads the realms folder at start and applies what changed. In development a file whose size, time and inode are those
 * last applied is not read at all.
 * @throws BootError `realm_invalid`, `production_unsafe`
 */
export async function applyRealmFiles(
  options: HostOptions,
  env: Readonly<Record<string, string | undefined>>,
  registry: ProviderRegistry,
  apply: ApplyServices,
  logger: Logger,
): Promise<void> {
  const providers = registry
    .list()
    .map(({ spi, id, realmConfig }) => ({ spi: spi.id, id, enabledBy: spi.enabledBy, realmConfig }));
  const seen = new Map<string, string>();
  const groups = await findRealmFiles(options.realmsDir);
  const stored = new Map((await apply.store.realms.list()).map((realm) => [realm.source?.files[0]?.path, realm]));
  for (const group of groups) {
    const known = stored.get(group.main.path);
    // Production looks at every file at each start: its environment may have changed although the file did not.
    if (
      options.mode === 'start-dev' &&
      known !== undefined &&
      isUnchanged(known.source?.files ?? [], [group.main, ...group.users])
    ) {
      seen.set(known.name, group.main.path);
      continue;
    }
    const file = await readRealmFile(group, { env, providers });
    const { realm } = file.representation;
    const other = seen.get(realm);
    if (other !== undefined) {
      throw new BootError('realm_invalid', `${other} and ${group.main.path} both hold the realm ${realm}`, {
        hint: 'a realm has one file; its name is the "realm" key, not the name of the file',
      });
    }
    seen.set(realm, group.main.path);
    const open = openProviders(file.representation, registry);
    checkProductionRealm(options, file, open);
    for (const provider of open) logger.warn(`realm ${realm}: ${provider} answers without authentication`);
    if (file.unknownKeys.length > 0) {
      logger.info(`realm ${realm}: keys that Keyhost does not act on are kept`, { keys: [...file.unknownKeys] });
    }
    await applyRealmFile(file, apply);
  }
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
