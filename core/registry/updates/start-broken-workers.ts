import { BootError } from '../../config/boot-error.js';
import type { LeftOutPlugin } from '../generations/plugin-opening.js';
import type { LoadedPlugin } from '../loading/load-plugins.js';
import type { Workers } from '../worker/workers.js';

/**
 * Starts workers that are only retried once a minute, because the cause of their failures may be fixed.
 * @param module the only plugin to start; undefined for all
 * @returns a sentence for each worker that runs again, and an error for each that does not
 */
export async function startBrokenWorkers(
  plugins: readonly LoadedPlugin[],
  workers: Workers,
  module?: string,
): Promise<{ started: readonly string[]; failed: readonly LeftOutPlugin[] }> {
  const startedModules: string[] = [];
  const failed: LeftOutPlugin[] = [];
  for (const { module: name, version } of plugins) {
    const worker = workers.latestOf(name);
    if (worker?.state !== 'broken' || (module !== undefined && module !== name)) continue;
    const failureReason = await worker.startNow();
    if (failureReason === undefined) startedModules.push(`${name} ${version}, worker started`);
    else {
      const error = new BootError('plugin_open_exit', `${name}: ${failureReason}`, { plugin: name });
      failed.push({ module: name, error, provides: [] });
    }
  }
  return { started: startedModules, failed };
}
