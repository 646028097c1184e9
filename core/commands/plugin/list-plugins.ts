import type { Logger } from '@keyhost/spi';
import { readPluginsFile } from '../../config/plugins-file.js';
import { systemClock } from '../../model/clock.js';
import { LoadGuard } from '../../registry/loading/load-guard.js';
import { type LoadedPlugin, loadPlugins } from '../../registry/loading/load-plugins.js';
import { OPEN_LIMIT_MS } from '../../registry/loading/open-provider.js';
import { Workers } from '../../registry/worker/workers.js';
import { type Command, PLUGIN_OPTIONS } from '../command.js';
import type { CommandLine } from '../command-line.js';
import { displayPath } from '../display-path.js';
import { placesOf } from './plugin-places.js';
import { type Mention, realmMentions } from './realm-mentions.js';

export const list: Command = {
  summary: 'Lists the plugins of plugins.json and the realms that enable them',
  usage: '',
  details: `Also lists plugins that cannot be loaded, and packages in the plugin folder that plugins.json does not name.
Imports the plugins, but does not open them.`,
  examples: [
    'plugin list',
    'plugin list --plugins-file my-plugins.json',
    'plugin list --providers-dir ../providers --realms-dir ../realms',
  ],
  serverOptions: [...PLUGIN_OPTIONS, 'realms-dir'],
  notes: 'Exit code: 0 all plugins can be loaded, 1 some cannot',
  run: listPlugins,
};

/** Sets the exit code. @throws BootError for a broken plugins.json */
async function listPlugins(line: CommandLine): Promise<void> {
  line.requireAtMostWords(0);
  const host = placesOf(line);
  const file = await readPluginsFile(host.pluginsFile);
  const guard = new LoadGuard(OPEN_LIMIT_MS);
  const { loaded, failed, unlisted } = await loadPlugins({
    // Treat every plugin as optional, so that a failed one is listed with the rest.
    pluginsFile: { ...file, plugins: file.plugins.map((entry) => ({ ...entry, required: false })) },
    providersDir: host.providersDir,
    workers: new Workers({ logger: SILENT, clock: systemClock, env: line.env, onStuck: () => {} }),
    onImporting: guard.setPlugin,
  }).finally(() => guard.close());
  for (const plugin of loaded) await plugin.close?.();
  const mentions = await realmMentions(host.realmsDir);
  const descriptions = loaded.map((plugin) => describePlugin(plugin, mentions));
  for (const { error } of failed) descriptions.push(error.report());
  if (unlisted.length > 0)
    descriptions.push(`In ${displayPath(host.providersDir)} but not in plugins.json: ${unlisted.join(', ')}`);
  process.stdout.write(
    `${descriptions.join('\n') || `No plugins in ${displayPath(host.pluginsFile)} yet. Install one: keyhost plugin add NAME`}\n`,
  );
  if (failed.length > 0) process.exitCode = 1;
}

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} };

function describePlugin(
  { module, version, plugin, directory, entry }: LoadedPlugin,
  mentions: readonly Mention[],
): string {
  const { name, providers, spis = [] } = plugin;
  const isolationNote = entry.isolation === 'worker' ? '  in a worker' : '';
  const title = `${module}@${version}${name === module ? '' : ` (${name})`}  ${displayPath(directory)}${isolationNote}`;
  const providerRows = providers.map(({ spi, id }) => {
    const realms = mentions
      .filter((one) => one.spi === spi.id && one.id === id && one.isEnabled)
      .map(({ realm }) => realm);
    const enabled = realms.length === 0 ? 'in no realm' : `in ${[...new Set(realms)].join(', ')}`;
    return `${spi.id}/${id}  ${enabled}`;
  });
  const rows = [...spis.map(({ id }) => `declares the SPI ${id}`), ...providerRows];
  return [title, ...rows.map((row, index) => `${index === rows.length - 1 ? '└─' : '├─'} ${row}`)].join('\n');
}
