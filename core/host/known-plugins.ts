import type { Plugin } from '@keyhost/spi';
import type { HostOptions } from '../config/options/options.js';
import { readPluginsFile } from '../config/plugins-file.js';
import { Container } from '../di/container.js';
import { Clock, Log, Options } from '../di/host-tokens.js';
import { compose } from '../di/module.js';
import { BuiltInPlugins } from '../di/providers.js';
import { systemClock } from '../model/clock.js';
import { declaredProviders, type KnownProvider } from '../registry/loading/known-providers.js';
import { LoadGuard } from '../registry/loading/load-guard.js';
import { type LoadedPlugin, loadPlugins } from '../registry/loading/load-plugins.js';
import { OPEN_LIMIT_MS } from '../registry/loading/open-provider.js';
import { Workers } from '../registry/worker/workers.js';
import { Store } from '../store/module.js';
import type { Store as HostStore } from '../store/store.js';

const doNothing = () => {};
const NO_LOG = { debug: doNothing, info: doNothing, warn: doNothing, error: doNothing };

/** Imports the plugins of plugins.json without opening them, for commands that run without a host. */
export async function importKnownPlugins(
  options: HostOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{
  readonly loaded: readonly LoadedPlugin[];
  readonly providers: readonly KnownProvider[];
  /** True if an optional plugin could not be imported. */
  readonly hasLeftOutPlugin: boolean;
}> {
  const { pluginsFile, providersDir } = options;
  const guard = new LoadGuard(OPEN_LIMIT_MS);
  try {
    const file = await readPluginsFile(pluginsFile);
    const workers = new Workers({ logger: NO_LOG, clock: systemClock, env, onStuck: doNothing });
    const loadResult = await loadPlugins({ pluginsFile: file, providersDir, workers, onImporting: guard.setPlugin });
    // Only the declarations are used from here on, so end the plugins' threads.
    for (const plugin of loadResult.loaded) await plugin.close?.();
    for (const { error } of loadResult.failed) {
      process.stderr.write(`keyhost: skipping an optional plugin: ${error.report()}\n`);
    }
    const providers = await declaredProviders(await declaredBuiltIns(options), loadResult.loaded);
    return { loaded: loadResult.loaded, providers, hasLeftOutPlugin: loadResult.failed.length > 0 };
  } finally {
    await guard.close();
  }
}

/**
 * Returns the built-in plugins, of which only the declarations may be read. They are never opened, so their store can
 * be an empty object.
 */
export async function declaredBuiltIns(options: HostOptions): Promise<readonly Plugin[]> {
  const { MODULES } = await import('./modules.js');
  const container = new Container();
  container.value(Options, options);
  container.value(Clock, systemClock);
  container.value(Log, NO_LOG);
  container.value(Store, {} as HostStore);
  compose(container, MODULES);
  return container.all(BuiltInPlugins);
}
