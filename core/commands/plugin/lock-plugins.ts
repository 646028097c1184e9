import { readFile, writeFile } from 'node:fs/promises';
import { readPluginsFile } from '../../config/plugins-file.js';
import { findPackages } from '../../registry/loading/find-packages.js';
import { packageIntegrity } from '../../registry/loading/package-integrity.js';
import { type Environment, misused, readWords } from './command-words.js';
import { setMember } from './json-edit.js';

export const LOCK_HELP = `keyhost plugin lock [NAME…]

  Writes into plugins.json the integrity of the packages as they now lie in the providers folder: of those named, or of all.
  From then on a start refuses a package that was changed. What lies in a package's own node_modules is not part of it.
  Exit code: 0 it is written, 1 it is not.
`;

/** `keyhost plugin lock`. @throws BootError `options_invalid`, `plugin_integrity` */
export async function lockCommand(argv: readonly string[], env: Environment): Promise<void> {
  const { words, host } = readWords(argv, [], env);
  const { plugins } = await readPluginsFile(host.pluginsFile);
  const listed = plugins.map(({ module }) => module);
  const unknown = words.find((name) => !listed.includes(name));
  if (unknown !== undefined) {
    return misused(`plugins.json does not name ${unknown}`, `it names ${listed.join(', ') || 'no plugin'}`);
  }
  const packages = (await findPackages(host.providersDir)).good;
  let text = await readFile(host.pluginsFile, 'utf8');
  for (const [index, module] of listed.entries()) {
    if (words.length > 0 && !words.includes(module)) continue;
    const found = packages.get(module);
    if (found === undefined) return misused(`${module} is not in ${host.providersDir}`, 'keyhost plugin list');
    const integrity = await packageIntegrity(found);
    text = setMember(text, ['plugins'], index, 'integrity', integrity);
    process.stdout.write(`${module}@${found.version} ${integrity}\n`);
  }
  await writeFile(host.pluginsFile, text);
}
