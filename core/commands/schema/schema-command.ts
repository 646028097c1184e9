import { pluginsEditorSchema, realmEditorSchema } from '../../config/realm-file/schema/editor-schemas.js';
import { importKnownPlugins } from '../../host/known-plugins.js';
import { spiOf } from '../../registry/loading/host-spis.js';
import { hostConfigSchema } from '../../registry/loading/plugin-shape.js';
import { type Command, EXIT_CODES, PLUGIN_OPTIONS } from '../command.js';
import type { CommandLine } from '../command-line.js';

export const schema: Command = {
  summary: 'Prints the JSON Schema of realm files or of plugins.json, for editors',
  usage: 'realm|plugins',
  details: 'The schema includes the options of your plugins.',
  examples: [
    'schema realm > realms/schema/realm.schema.json',
    'schema plugins > realms/schema/plugins.schema.json',
    'schema realm --plugins-file my-plugins.json',
  ],
  serverOptions: PLUGIN_OPTIONS,
  notes: EXIT_CODES,
  needsArguments: true,
  run: printSchema,
};

/** @throws BootError */
async function printSchema(line: CommandLine): Promise<void> {
  const kind = line.word('realm or plugins');
  if (kind !== 'realm' && kind !== 'plugins') line.usageError(`unknown schema "${kind}"`, 'use realm or plugins');
  const { loaded, providers } = await importKnownPlugins(line.server(), line.env);
  const plugins = loaded.map(({ module, plugin }) => ({
    module,
    config: new Map(plugin.providers.map((one) => [`${spiOf(one).id}/${one.id}`, hostConfigSchema(one)])),
  }));
  const schemaObject = kind === 'realm' ? realmEditorSchema(providers) : pluginsEditorSchema(plugins);
  process.stdout.write(`${JSON.stringify(schemaObject, null, 2)}\n`);
}
