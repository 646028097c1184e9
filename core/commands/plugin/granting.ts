import type { PluginRight } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import type { PluginEntry } from '../../config/plugins-file.js';
import type { LoadedPlugin } from '../../registry/loading/load-plugins.js';
import { grantedEverywhere, ungranted } from '../../registry/loading/plugin-rights.js';
import type { CommandLine } from '../command-line.js';
import { Questions } from '../prompts/questions.js';

export type Grants = PluginEntry['grants'];

/** What the operator decided about the rights that a plugin asks for. */
export interface Decision {
  /** Rights that plugins.json does not grant, and that are to be granted. */
  readonly granted: readonly PluginRight[];
  /** Rights that stay ungranted: no server starts with the plugin in plugins.json. */
  readonly denied: readonly PluginRight[];
  /** What `grants` of its entry is to be, with `granted`. */
  readonly grants: Grants;
}

/** Grants nothing: the plugin is not listed anyway, and its printed entry names what it asks for. */
export function undecided({ plugin: { needs = {} } }: LoadedPlugin): Decision {
  return { granted: [], denied: ungranted(needs, {}), grants: {} };
}

/**
 * Asks the operator about the rights that plugins.json does not grant: `--grant` grants them, and a person at a terminal answers.
 * @param entry of the plugin in plugins.json, if it has one
 * @throws BootError `plugin_grants` if the plugin is listed and a right stays ungranted: a start would refuse it
 */
export async function decideGrants(
  line: CommandLine,
  { module, plugin: { needs = {} } }: LoadedPlugin,
  entry: PluginEntry | undefined,
): Promise<Decision> {
  const { grants = {} } = entry ?? {};
  const missing = ungranted(needs, grants);
  if (missing.length === 0) return { granted: [], denied: [], grants };
  const asked = missing.map((right) => `  ${right}: ${needs[right]}`);
  const questions = new Questions(line);
  if (questions.isAsking && !line.has('grant')) {
    process.stderr.write(`${module} asks for these rights:\n${asked.join('\n')}\n`);
  }
  if (await questions.yesOrNo('grant', 'Grant them in every realm except master?', false)) {
    return { granted: missing, denied: [], grants: grantedEverywhere(needs, grants) };
  }
  if (entry === undefined) return { granted: [], denied: missing, grants };
  const reasons = missing.map((right) => `${right} (${needs[right]})`).join(', ');
  throw new BootError('plugin_grants', `${module} requires rights that are not granted: ${reasons}`, {
    plugin: module,
    hint: 'with --grant, the command grants them in every realm except master; or first grant them in plugins.json',
  });
}
