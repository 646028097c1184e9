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
  const listedModules = plugins.map(({ module }) => module);
  const unknownName = words.find((name) => !listedModules.includes(name));
  if (unknownName !== undefined) {
    return usageError(
      `${unknownName} is not in plugins.json`,
      `plugins.json names ${listedModules.join(', ') || 'no plugins'}`,
    );
  }
  const packages = (await findPackages(host.providersDir)).valid;
  let text = await readFile(host.pluginsFile, 'utf8');
  for (const [index, module] of listedModules.entries()) {
    if (words.length > 0 && !words.includes(module)) continue;
    const installed = packages.get(module);
    if (installed === undefined)
      return usageError(`${module} is not in ${host.providersDir}`, 'keyhost plugin list shows what is installed');
    const integrity = await packageIntegrity(installed);
    text = setMember(text, ['plugins'], index, 'integrity', integrity);
    process.stdout.write(`${module}@${installed.version} ${integrity}\n`);
  }
  await writeFile(host.pluginsFile, text);
}
