import { readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import type { Logger, ProviderDefinition } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { didYouMean } from '../../config/did-you-mean.js';
import { type JsonDocument, type JsonPath, readJsonDocument } from '../../config/json/json-document.js';
import { readPluginsFile } from '../../config/plugins-file.js';
import { realmNamed, realmsIn, statedName } from '../../config/realm-file/realm-documents.js';
import { findRealmFiles } from '../../config/realm-file/realm-folder.js';
import { systemClock } from '../../model/clock.js';
import { spiOf } from '../../registry/loading/kinds.js';
import { LoadGuard } from '../../registry/loading/load-guard.js';
import { loadPlugins } from '../../registry/loading/load-plugins.js';
import { OPEN_LIMIT_MS } from '../../registry/loading/open-provider.js';
import { Workers } from '../../registry/worker/workers.js';
import { type CommandWords, type Environment, misused, readWords } from './command-words.js';
import { enablingLines } from './enabling.js';
import { setIn } from './json-edit.js';
import { shown } from './verify-plugin.js';

export const ENABLE_HELP = `keyhost plugin enable|disable ID --realm NAME

  Writes into the realm's file whether it has a provider, and tells where. Everything else in the file stays as it is. A host
  that runs follows the file.

  ID       a provider's id, such as hello, or with its kind: realm-restapi-extension/hello
  --realm  the realm, whose file is looked for in the realms folder
  Exit code: 0 the file says so now, 1 it was not changed.
`;

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** `keyhost plugin enable` and `disable`. @throws BootError `options_invalid`, `realm_invalid` */
export async function enableCommand(enabled: boolean, argv: readonly string[], env: Environment): Promise<void> {
  const { words, values, host } = readWords(argv, ['realm='], env);
  const [name, another] = words;
  const realm = values.get('realm');
  const word = enabled ? 'enable' : 'disable';
  if (name === undefined || another !== undefined || realm === undefined) {
    return misused(`${word} takes the id of a provider, and a realm`, `keyhost plugin ${word} hello --realm demo`);
  }
  const definition = oneOf(await provided(host, env), name);
  const { file, text, document } = await fileOf(realm, host.realmsDir);
  const spi = spiOf(definition).id;
  const { path, value } = keyOf(definition, document, enabled);
  const place = [...document.at, ...path];
  const written = value === undefined ? text : setIn(text, place, value);
  if (written !== text) await replace(file, written);
  const now = readJsonDocument(file, Buffer.from(written));
  const { line, column } = 'document' in now ? now.document.locate(place) : { line: 1, column: 1 };
  const state = enabled ? 'enabled' : 'disabled';
  const told = written === text ? `was ${state} already` : `is ${state}`;
  process.stdout.write(`${shown(file)}:${line}:${column} ${spi}/${definition.id} ${told} in realm ${realm}\n`);
}

/** What the plugins of plugins.json provide: imported, not opened. */
async function provided(host: CommandWords['host'], env: Environment): Promise<ProviderDefinition[]> {
  const guard = new LoadGuard(OPEN_LIMIT_MS);
  const { loaded } = await loadPlugins({
    pluginsFile: await readPluginsFile(host.pluginsFile),
    providersDir: host.providersDir,
    workers: new Workers({ logger: SILENT, clock: systemClock, env, onStuck: () => {} }),
    onImporting: guard.enter,
  }).finally(() => guard.close());
  for (const plugin of loaded) await plugin.close?.();
  return loaded.flatMap(({ plugin }) => plugin.providers);
}

function oneOf(definitions: readonly ProviderDefinition[], name: string): ProviderDefinition {
  const wholeName = (one: ProviderDefinition) => `${spiOf(one).id}/${one.id}`;
  const found = definitions.filter((one) => one.id === name || wholeName(one) === name);
  const [only, another] = found;
  if (only !== undefined && another === undefined) return only;
  if (another !== undefined) return misused(`there is more than one "${name}"`, found.map(wholeName).join(' or '));
  const near = didYouMean(
    name,
    definitions.flatMap((one) => [one.id, wholeName(one)]),
  );
  const names = definitions.map(wholeName).join(', ') || 'nothing';
  return misused(
    `no plugin of plugins.json provides "${name}"`,
    near === undefined ? `they provide ${names}` : `did you mean "${near}"?`,
  );
}

/** @throws BootError `realm_invalid` where a file is no JSON, `options_invalid` where none has the realm */
async function fileOf(realm: string, dir: string): Promise<{ file: string; text: string; document: JsonDocument }> {
  const names: string[] = [];
  for (const { main } of await findRealmFiles(dir)) {
    const bytes = await readFile(main.path);
    const read = readJsonDocument(main.path, bytes);
    if ('problems' in read) {
      // Its realm cannot be known: it may be the one that is meant.
      throw new BootError('realm_invalid', `${shown(main.path)} is no JSON`, { problems: read.problems });
    }
    const document = realmNamed(read.document, realm);
    if (document !== undefined) return { file: main.path, text: bytes.toString(), document };
    names.push(...realmsIn(read.document).map((one) => String(statedName(one))));
  }
  return misused(
    `no file in ${shown(dir)} has the realm "${realm}"`,
    names.length === 0 ? 'the folder has no realm file' : `there is ${names.join(', ')}`,
  );
}

/** The key of a realm file that says whether the realm has a provider, and what it says then. */
function keyOf(definition: ProviderDefinition, document: JsonDocument, enabled: boolean): Edit {
  const { id, realmConfig } = definition;
  const kind = spiOf(definition);
  const file = document.value as Readonly<Record<string, unknown>>;
  if (kind.realm?.list !== undefined) {
    const { key, list } = kind.realm;
    const ids: readonly unknown[] = Array.isArray(file[key]) ? file[key] : list;
    const others = ids.filter((one) => one !== id);
    if (ids.includes(id) === enabled) return { path: [key], value: undefined };
    return { path: [key], value: enabled ? [...others, id] : others };
  }
  if (kind.realm !== undefined) {
    return misused(
      `the realm's own keys switch ${kind.id}/${id}: its place among them is yours to choose`,
      `a realm file has: ${enablingLines([definition]).join('; ')}`,
    );
  }
  const known = at(at(at(file.providers, kind.id), id), 'config');
  const missing = (realmConfig?.required ?? []).filter((name) => at(known, name) === undefined);
  if (enabled && missing.length > 0) {
    return misused(
      `${kind.id}/${id} needs ${missing.join(', ')} first`,
      `fill this in, in ${shown(document.file)}: ${enablingLines([definition]).join('; ')}`,
    );
  }
  const path = ['providers', kind.id, id, 'enabled'];
  for (let holder: unknown = file, depth = 0; depth < path.length - 1; depth += 1) {
    holder = at(holder, path[depth] ?? '');
    if (holder === undefined) break;
    if (typeof holder === 'object' && holder !== null && !Array.isArray(holder)) continue;
    const problems = [document.problem(path.slice(0, depth + 1), 'must be an object')];
    throw new BootError('realm_invalid', `${shown(document.file)} has no place for it`, { problems });
  }
  return { path, value: enabled };
}

interface Edit {
  readonly path: JsonPath;
  /** undefined: it says so already. */
  readonly value: unknown;
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** At once, since a host may follow the file; through a link, since it may lead there. */
async function replace(path: string, text: string): Promise<void> {
  const file = await realpath(path);
  const { mode } = await stat(file);
  const temporary = `${file}.${process.pid}.new`;
  await writeFile(temporary, text, { mode });
  await rename(temporary, file);
}
