import type { Logger } from '@keyhost/spi';
import { readPluginsFile } from '../../config/plugins-file.js';
import { systemClock } from '../../model/clock.js';
import { LoadGuard } from '../../registry/loading/load-guard.js';
import { type LoadedPlugin, loadPlugins } from '../../registry/loading/load-plugins.js';
import { OPEN_LIMIT_MS } from '../../registry/loading/open-provider.js';
import { Workers } from '../../registry/worker/workers.js';
import { type Environment, misused, readWords } from './command-words.js';
import { type Mention, realmMentions } from './realm-mentions.js';
import { shown } from './verify-plugin.js';

export const LIST_HELP = `keyhost plugin list

  Prints the plugins of plugins.json with their providers, and for each the realm files that switch it on; then what cannot be
  loaded, and packages in the providers folder that plugins.json does not name. Plugins are imported and not opened.
  Exit code: 0 all can be loaded, 1 some cannot.
`;

/** `keyhost plugin list`. Sets the exit code. @throws BootError for a broken plugins.json */
export async function listCommand(argv: readonly string[], env: Environment): Promise<void> {
  const { words, host } = readWords(argv, [], env);
  if (words.length > 0) return misused('list takes no words', 'keyhost plugin list');
  const file = await readPluginsFile(host.pluginsFile);
  const guard = new LoadGuard(OPEN_LIMIT_MS);
  const { loaded, failed, unlisted } = await loadPlugins({
    // What fails is told beside the rest.
    pluginsFile: { ...file, plugins: file.plugins.map((entry) => ({ ...entry, required: false })) },
    providersDir: host.providersDir,
    workers: new Workers({ logger: SILENT, clock: systemClock, env, onStuck: () => {} }),
    onImporting: guard.enter,
  }).finally(() => guard.close());
  for (const plugin of loaded) await plugin.close?.();
  const mentions = await realmMentions(host.realmsDir);
  const blocks = loaded.map((plugin) => treeOf(plugin, mentions));
  for (const { error } of failed) blocks.push(error.report());
  if (unlisted.length > 0)
    blocks.push(`In ${shown(host.providersDir)} but not in plugins.json: ${unlisted.join(', ')}`);
  process.stdout.write(`${blocks.join('\n') || `${shown(host.pluginsFile)} names no plugin`}\n`);
  if (failed.length > 0) process.exitCode = 1;
}

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} };

function treeOf({ module, version, plugin, directory, entry }: LoadedPlugin, mentions: readonly Mention[]): string {
  const { name, providers, spis = [] } = plugin;
  const where = entry.isolation === 'worker' ? '  in a worker' : '';
  const title = `${module}@${version}${name === module ? '' : ` (${name})`}  ${shown(directory)}${where}`;
  const provided = providers.map(({ spi, id }) => {
    const realms = mentions
      .filter((one) => one.spi === spi.id && one.id === id && one.enabled)
      .map(({ realm }) => realm);
    const enabled = realms.length === 0 ? 'in no realm' : `in ${[...new Set(realms)].join(', ')}`;
    return `${spi.id}/${id}  ${enabled}`;
  });
  const rows = [...spis.map(({ id }) => `declares the SPI ${id}`), ...provided];
  return [title, ...rows.map((row, index) => `${index === rows.length - 1 ? '└─' : '├─'} ${row}`)].join('\n');
}
