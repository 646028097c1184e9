import type { Logger, Plugin, ProviderDefinition } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { didYouMean } from '../../config/did-you-mean.js';
import { type JsonDocument, type JsonPath, readJsonDocument } from '../../config/json/json-document.js';
import type { HostOptions } from '../../config/options/options.js';
import { readPluginsFile } from '../../config/plugins-file.js';
import { configPlace } from '../../config/realm-file/config-place.js';
import { systemClock } from '../../model/clock.js';
import { isObject } from '../../model/is-object.js';
import { spiOf } from '../../registry/loading/host-spis.js';
import { LoadGuard } from '../../registry/loading/load-guard.js';
import { loadPlugins } from '../../registry/loading/load-plugins.js';
import { OPEN_LIMIT_MS } from '../../registry/loading/open-provider.js';
import { Workers } from '../../registry/worker/workers.js';
import { type Command, EXIT_CODES, PLUGIN_OPTIONS } from '../command.js';
import { type CommandLine, type Environment, usageError } from '../command-line.js';
import { displayPath } from '../display-path.js';
import { editRealmFile } from '../realm/realm-file-edit.js';
import { enablingLines } from './enabling.js';
import { setIn } from './json-edit.js';
import { placeholders } from './placeholders.js';
import { placesOf } from './plugin-places.js';

const SHARED = {
  details: `ID is the ID of a provider, such as hello, or with its kind: realm-restapi-extension/hello.
Everything else in the file stays as it is. A running server applies the change.`,
  options: [{ flag: 'realm', value: 'NAME', help: 'realm whose file is changed; required' }],
  serverOptions: [...PLUGIN_OPTIONS, 'realms-dir'],
  notes: EXIT_CODES,
  needsArguments: true,
} as const;

export const enable: Command = {
  ...SHARED,
  summary: 'Enables a provider in the file of a realm',
  usage: 'ID --realm NAME',
  examples: [
    'plugin enable hello --realm demo',
    'plugin enable realm-restapi-extension/hello --realm demo',
    'plugin enable hello --realm demo --realms-dir ../realms',
  ],
  run: (line) => setEnabled(line, true),
};

export const disable: Command = {
  ...SHARED,
  summary: 'Disables a provider in the file of a realm',
  usage: 'ID --realm NAME',
  examples: [
    'plugin disable hello --realm demo',
    'plugin disable realm-restapi-extension/hello --realm demo',
    'plugin disable hello --realm demo --realms-dir ../realms',
  ],
  run: (line) => setEnabled(line, false),
};

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** @throws BootError `options_invalid`, `realm_invalid` */
async function setEnabled(line: CommandLine, enabled: boolean): Promise<void> {
  const name = line.word('ID');
  const realm = line.required('realm');
  const host = placesOf(line);
  const definition = findDefinition(await importPlugins(host, line.env), name);
  const spi = spiOf(definition).id;
  const { read, text } = await editRealmFile({ realm, dir: host.realmsDir }, ({ text, document }) => {
    const { path, value } = editFor(definition, document, enabled);
    return value === undefined ? text : setIn(text, [...document.basePath, ...path], value);
  });
  const { file, document } = read;
  const keyPath = [...document.basePath, ...editFor(definition, document, enabled).path];
  const editedFile = readJsonDocument(file, Buffer.from(text));
  const position = 'document' in editedFile ? editedFile.document.locate(keyPath) : { line: 1, column: 1 };
  const state = enabled ? 'enabled' : 'disabled';
  const outcome = text === read.text ? `was already ${state}` : `is ${state}`;
  process.stdout.write(
    `${displayPath(file)}:${position.line}:${position.column} ${spi}/${definition.id} ${outcome} in realm ${realm}\n`,
  );
}

/** Imports the plugins of plugins.json without opening them. */
async function importPlugins(host: HostOptions, env: Environment): Promise<readonly Plugin[]> {
  const guard = new LoadGuard(OPEN_LIMIT_MS);
  const { loaded } = await loadPlugins({
    pluginsFile: await readPluginsFile(host.pluginsFile),
    providersDir: host.providersDir,
    workers: new Workers({ logger: SILENT, clock: systemClock, env, onStuck: () => {} }),
    onImporting: guard.setPlugin,
  }).finally(() => guard.close());
  for (const plugin of loaded) await plugin.close?.();
  return loaded.map(({ plugin }) => plugin);
}

/** Finds the provider with this ID, or the only provider of the plugin with this name. */
function findDefinition(all: readonly Plugin[], name: string): ProviderDefinition {
  const definitions = all.flatMap(({ providers }) => providers);
  const qualifiedId = (one: ProviderDefinition) => `${spiOf(one).id}/${one.id}`;
  const withId = definitions.filter((one) => one.id === name || qualifiedId(one) === name);
  const matching = withId.length > 0 ? withId : (all.find((plugin) => plugin.name === name)?.providers ?? []);
  const [match, secondMatch] = matching;
  if (match !== undefined && secondMatch === undefined) return match;
  if (secondMatch !== undefined)
    return usageError(`"${name}" is the name of several providers`, `use ${matching.map(qualifiedId).join(' or ')}`);
  const suggestion = didYouMean(
    name,
    definitions.flatMap((one) => [one.id, qualifiedId(one)]),
  );
  const names = definitions.map(qualifiedId).join(', ') || 'no providers';
  return usageError(
    `no plugin in plugins.json provides "${name}"`,
    suggestion === undefined ? `they provide: ${names}` : `did you mean "${suggestion}"?`,
  );
}

/** The edit of a realm file that enables or disables the provider. */
function editFor(definition: ProviderDefinition, document: JsonDocument, enabled: boolean): Edit {
  const { id } = definition;
  const spi = spiOf(definition);
  const file = document.value as Readonly<Record<string, unknown>>;
  if (enabled && (spi.realm === undefined || spi.realm.list !== undefined)) requireConfig(definition, document);
  if (spi.realm?.list !== undefined) {
    const { key, list } = spi.realm;
    const ids: readonly unknown[] = Array.isArray(file[key]) ? file[key] : list;
    const otherIds = ids.filter((one) => one !== id);
    if (ids.includes(id) === enabled) return { path: [key], value: undefined };
    return { path: [key], value: enabled ? [...otherIds, id] : otherIds };
  }
  if (spi.realm !== undefined) {
    return usageError(
      `keyhost cannot enable or disable ${spi.id}/${id}: edit the realm file`,
      `a realm file enables it with ${enablingLines([definition]).join('; ')}`,
    );
  }
  const path = ['providers', spi.id, id, 'enabled'];
  for (let holder: unknown = file, depth = 0; depth < path.length - 1; depth += 1) {
    holder = memberOf(holder, path[depth] ?? '');
    if (holder === undefined) break;
    if (isObject(holder)) continue;
    const problems = [document.problem(path.slice(0, depth + 1), 'must be an object')];
    throw new BootError('realm_invalid', `cannot edit ${displayPath(document.file)}`, { problems });
  }
  return { path, value: enabled };
}

/**
 * Checks that the file has the provider's required configuration, without which no host would start.
 * @throws BootError `options_invalid`
 */
function requireConfig(definition: ProviderDefinition, { value, file }: JsonDocument): void {
  const { spi, id, schema } = configPlace(definition);
  const { required = [], properties = {} } = schema ?? {};
  const { providers } = value as { providers?: unknown };
  const config = memberOf(memberOf(memberOf(providers, spi), id), 'config');
  const missing = required.filter(
    (one) => memberOf(config, one) === undefined && properties[one]?.default === undefined,
  );
  if (missing.length === 0) return;
  const example = `"providers": ${JSON.stringify({ [spi]: { [id]: { config: placeholders(schema) } } })}`;
  usageError(
    `${spiOf(definition).id}/${definition.id} requires ${missing.join(', ')}`,
    `complete this in ${displayPath(file)}: ${definition.sharesConfig === undefined ? enablingLines([definition]).join('; ') : example}`,
  );
}

interface Edit {
  readonly path: JsonPath;
  /** Undefined if the file already has the value. */
  readonly value: unknown;
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
