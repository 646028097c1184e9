import { readFile, writeFile } from 'node:fs/promises';
import { readPluginsFile } from '../../config/plugins-file.js';
import { findPackages } from '../../registry/loading/find-packages.js';
import { packageIntegrity } from '../../registry/loading/package-integrity.js';
import { type Command, EXIT_CODES } from '../command.js';
import { type CommandLine, usageError } from '../command-line.js';
import { setMember } from './json-edit.js';
import { placesOf } from './plugin-places.js';

export const lock: Command = {
  summary: 'Writes the integrity of installed packages into plugins.json',
  usage: '[NAME…]',
  details: `For the packages that you name, or for all. The server then refuses to load a package that was changed.
The integrity does not cover the package's own node_modules.`,
  examples: ['plugin lock', 'plugin lock hello', 'plugin lock hello @acme/audit'],
  serverOptions: ['providers-dir', 'plugins-file'],
  notes: EXIT_CODES,
  run: lockPlugins,
};

/** @throws BootError `options_invalid`, `plugin_integrity` */
async function lockPlugins(line: CommandLine): Promise<void> {
  const { words } = line;
  const host = placesOf(line);
  const { plugins } = await readPluginsFile(host.pluginsFile);
  const listed = plugins.map(({ module }) => module);
  const unknown = words.find((name) => !listed.includes(name));
  if (unknown !== undefined) {
    return usageError(`${unknown} is not in plugins.json`, `plugins.json names ${listed.join(', ') || 'no plugins'}`);
  }
  const packages = (await findPackages(host.providersDir)).good;
  let text = await readFile(host.pluginsFile, 'utf8');
  for (const [index, module] of listed.entries()) {
    if (words.length > 0 && !words.includes(module)) continue;
    const found = packages.get(module);
    if (found === undefined)
      return usageError(`${module} is not in ${host.providersDir}`, 'keyhost plugin list shows what is installed');
    const integrity = await packageIntegrity(found);
    text = setMember(text, ['plugins'], index, 'integrity', integrity);
    process.stdout.write(`${module}@${found.version} ${integrity}\n`);
  }
  await writeFile(host.pluginsFile, text);
}
