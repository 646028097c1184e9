import { parseOptions } from '../../config/options/options.js';
import { pluginsEditorSchema, realmEditorSchema } from '../../config/realm-file/editor-schemas.js';
import { knownPlugins } from '../../host/known-plugins.js';
import { spiOf } from '../../registry/loading/kinds.js';
import { hostConfigSchema } from '../../registry/loading/plugin-shape.js';
import { explained, misused, separate } from '../command-line.js';

const HELP = `keyhost schema: JSON Schema for editors, with the options of the plugins that plugins.json names

  keyhost schema realm      of realm files; the demo realm's file names it as ./schema/realm.schema.json
  keyhost schema plugins    of plugins.json

  keyhost schema realm > realms/schema/realm.schema.json
  keyhost schema plugins > realms/schema/plugins.schema.json

  The places are those of the host: --providers-dir, --plugins-file; keyhost --help.
  Exit code: 0 it is printed, 1 it is not.
`;

/** `keyhost schema realm|plugins`. Sets the exit code. @throws BootError */
export async function schemaCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (explained(argv, HELP)) return;
  const { words, options } = separate(argv, [], []);
  const [kind, another] = words;
  if ((kind !== 'realm' && kind !== 'plugins') || another !== undefined) {
    return misused('schema takes one word: realm or plugins', 'keyhost schema realm > realms/schema/realm.schema.json');
  }
  const { loaded, providers } = await knownPlugins(parseOptions(options, env, 'start-dev'), env);
  const plugins = loaded.map(({ module, plugin }) => ({
    module,
    config: new Map(plugin.providers.map((one) => [`${spiOf(one).id}/${one.id}`, hostConfigSchema(one)])),
  }));
  const schema = kind === 'realm' ? realmEditorSchema(providers) : pluginsEditorSchema(plugins);
  process.stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
}
