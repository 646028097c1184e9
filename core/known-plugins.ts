import { declaredBuiltIns } from './built-in-plugins.js';
import type { HostOptions } from './config/options.js';
import { readPluginsFile } from './config/plugins-file.js';
import { declaredProviders, type KnownProvider } from './registry/known-providers.js';
import { LoadGuard } from './registry/load-guard.js';
import { type LoadedPlugin, loadPlugins } from './registry/load-plugins.js';
import { OPEN_LIMIT_MS } from './registry/opened-plugin.js';

/** The plugins of plugins.json, imported but not opened: what a command without a host knows of them. */
export async function knownPlugins({ pluginsFile, providersDir }: HostOptions): Promise<{
  readonly loaded: readonly LoadedPlugin[];
  readonly providers: readonly KnownProvider[];
  /** True when a plugin that is not required could not be imported. */
  readonly someLeftOut: boolean;
}> {
  const guard = new LoadGuard(OPEN_LIMIT_MS);
  try {
    const file = await readPluginsFile(pluginsFile);
    const found = await loadPlugins({ pluginsFile: file, providersDir, onImporting: guard.enter });
    for (const { error } of found.failed) {
      process.stderr.write(`keyhost: an optional plugin is left out: ${error.report()}\n`);
    }
    const providers = declaredProviders(declaredBuiltIns(), found.loaded);
    return { loaded: found.loaded, providers, someLeftOut: found.failed.length > 0 };
  } finally {
    await guard.close();
  }
}
