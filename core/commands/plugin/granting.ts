import type { PluginRight } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import type { PluginEntry } from '../../config/plugins-file.js';
import type { LoadedPlugin } from '../../registry/loading/load-plugins.js';
import { missingRights, withMissingRights } from '../../registry/loading/plugin-rights.js';
import type { CommandLine } from '../command-line.js';
import { Questions } from '../prompts/questions.js';

export type Grants = PluginEntry['grants'];

/** The operator's decision about the rights that a plugin needs. */
export interface GrantDecision {
  /** Rights that plugins.json does not grant yet and that will be granted. */
  readonly granted: readonly PluginRight[];
  /** Rights that will not be granted. No server would start with the plugin in plugins.json. */
  readonly denied: readonly PluginRight[];
  /** The new value of `grants` in the plugin's entry, including `granted`. */
  readonly grants: Grants;
}

/** The decision for a plugin that is not added to plugins.json yet: nothing is granted. */
export function noGrants({ plugin: { needs = {} } }: LoadedPlugin): GrantDecision {
  return { granted: [], denied: missingRights(needs, {}), grants: {} };
}

/**
 * Decides about the rights that plugins.json does not grant: by `--grant`, or by asking a person at a terminal.
 * @param entry the plugin's entry in plugins.json, if any
 * @throws BootError `plugin_grants` if the plugin is in plugins.json and a right is not granted, since a start would
 * fail
 */
export async function decideGrants(
  line: CommandLine,
  { module, plugin: { needs = {} } }: LoadedPlugin,
  entry: PluginEntry | undefined,
): Promise<GrantDecision> {
  const { grants = {} } = entry ?? {};
  const missing = missingRights(needs, grants);
  if (missing.length === 0) return { granted: [], denied: [], grants };
  const rows = missing.map((right) => `  ${right}: ${needs[right]}`);
  const questions = new Questions(line);
  if (questions.isAsking && !line.has('grant')) {
    process.stderr.write(`${module} asks for these rights:\n${rows.join('\n')}\n`);
  }
  if (await questions.yesOrNo('grant', 'Grant them in every realm except master?', false)) {
    return { granted: missing, denied: [], grants: withMissingRights(needs, grants) };
  }
  if (entry === undefined) return { granted: [], denied: missing, grants };
  const reasons = missing.map((right) => `${right} (${needs[right]})`).join(', ');
  throw new BootError('plugin_grants', `${module} requires rights that are not granted: ${reasons}`, {
    plugin: module,
    hint: 'with --grant, the command grants them in every realm except master; or first grant them in plugins.json',
  });
}
