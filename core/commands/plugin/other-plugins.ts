import type { Plugin } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import type { HostOptions } from '../../config/options/options.js';
import type { PluginsFile } from '../../config/plugins-file.js';
import { declaredBuiltIns } from '../../host/known-plugins.js';
import { findPackages } from '../../registry/loading/find-packages.js';
import { importInProcess } from '../../registry/loading/import-package.js';
import { LoadGuard } from '../../registry/loading/load-guard.js';
import { checkUniqueName, type LoadedPlugin } from '../../registry/loading/load-plugins.js';
import { OPEN_LIMIT_MS } from '../../registry/loading/open-provider.js';
import { checkPlugin } from '../../registry/loading/plugin-shape.js';
import { checkSpis, declaredSpis, withCheckedSpis } from '../../registry/loading/plugin-spis.js';

/**
 * Checks that a plugin can be loaded together with those of plugins.json: names and providers must be unique, and the
 * declarations of an SPI must match. A plugin that cannot be imported is reported and skipped.
 * @throws BootError `plugin_duplicate_id`, `plugin_spi`
 */
export async function checkAgainstOtherPlugins(
  loaded: LoadedPlugin,
  { plugins }: PluginsFile,
  providersDir: string,
): Promise<void> {
  const { valid } = await findPackages(providersDir);
  const ownNames = namesOf(loaded.plugin);
  const others: Plugin[] = [];
  let areAllImported = true;
  const guard = new LoadGuard(OPEN_LIMIT_MS);
  try {
    for (const { module } of plugins) {
      const installed = valid.get(module);
      if (module === loaded.module) continue;
      if (installed === undefined) {
        areAllImported = false;
        continue;
      }
      guard.setPlugin(module);
      const plugin = await importInProcess(installed, providersDir).catch((error: unknown) => {
        if (!(error instanceof BootError)) throw error;
        process.stderr.write(`not compared with ${module}: ${error.message}\n`);
        areAllImported = false;
      });
      guard.setPlugin(undefined);
      if (plugin === undefined) continue;
      checkPlugin(plugin, module);
      others.push(withCheckedSpis(plugin, module));
      checkUniqueName(loaded, [{ ...loaded, module, plugin }]);
      const sharedName = namesOf(plugin).find((name) => ownNames.includes(name));
      if (sharedName === undefined) continue;
      throw new BootError('plugin_duplicate_id', `${loaded.module} and ${module} both provide ${sharedName}`, {
        plugin: loaded.module,
        hint: `give the provider another ID, or remove the other plugin first: keyhost plugin remove ${module}`,
      });
    }
  } finally {
    await guard.close();
  }
  // An SPI that the plugin implements may be declared by one that could not be imported.
  if (areAllImported) checkSpis(loaded.plugin, declaredSpis([...others, loaded.plugin]));
}

/**
 * Checks that a plugin has no provider with the ID of a built-in one, unless plugins.json lets it replace that one.
 * @throws BootError `plugin_duplicate_id`
 */
export async function checkAgainstBuiltIns(
  { module, plugin, replaces }: LoadedPlugin,
  host: HostOptions,
): Promise<void> {
  const builtInNames = (await declaredBuiltIns(host)).flatMap(({ providers }) =>
    providers.map(({ spi, id }) => `${spi.id}/${id}`),
  );
  const takenName = namesOf(plugin).find((name) => builtInNames.includes(name) && !replaces.includes(name));
  if (takenName === undefined) return;
  throw new BootError('plugin_duplicate_id', `${module} provides ${takenName}, which Keyhost provides itself`, {
    plugin: module,
    hint: `choose another ID for the provider; to replace that of Keyhost, first list { "module": "${module}", "replaces": ["${takenName}"] } in plugins.json`,
  });
}

function namesOf({ providers }: LoadedPlugin['plugin']): string[] {
  return providers.map(({ spi, id }) => `${spi.id}/${id}`);
}
