import type { JsonObject } from '../../json-schema.js';
import type { Plugin, ProviderDefinition, Spi } from '../../plugin.js';
import { startHost, type TestContext, type TestedPlugin, type TestHost } from '../start-host.js';
import { testRealm, withEnabled } from '../test-realm.js';
import { memberOf } from '../thrown.js';
import { EXERCISES, type Place } from './exercises.js';
import { Observations, observed } from './observed-plugin.js';
import { operationNames } from './operation-names.js';

export interface ConformanceOptions extends Omit<TestedPlugin, 'plugin'> {
  /** Configuration in realm files by `spi/id`, where the schema's defaults are not enough. */
  readonly realmConfig?: Readonly<Record<string, JsonObject>>;
  /** More words of the host's command line. */
  readonly argv?: readonly string[];
  /** Additional calls, which make the host call the methods that the kit does not reach. */
  readonly exercise?: (place: Place) => Promise<void>;
}

/** Realms and users that an exercise runs for at the same time. */
const PLACES = [
  ['a', 'alice'],
  ['b', 'bob'],
] as const;

/** Seconds: a cron expression that comes once a year comes within. */
const LONGEST_BETWEEN = 366 * 86_400;

/**
 * Checks that the plugin's providers of a kind keep the rules that every provider of it must keep, in the process, also those
 * that a worker needs: plain values, promises, answers for errors, nothing kept from one call for another, everything closed, and
 * configuration that refuses what it does not know. It starts hosts and calls the providers through them.
 * @param kind the SPI's constant, such as `RealmResourceProvider`
 * @returns the methods that were called, such as `hello greet`
 * @throws Error with every rule that is broken
 */
export async function conforms(
  t: TestContext,
  kind: Spi,
  plugin: Plugin,
  options: ConformanceOptions = {},
): Promise<readonly string[]> {
  const definitions = plugin.providers.filter(({ spi }) => spi.id === kind.id);
  if (definitions.length === 0) throw new Error(`${plugin.name} has no ${kind.name}`);
  const seen = new Observations();
  const start = (given: Plugin, changes: Partial<ConformanceOptions> = {}) =>
    startWith(t, given, { ...options, ...changes });

  const watched = observed(plugin, kind, seen);
  // Two at once, as when a new version takes over from an old one.
  const [first, second] = await both(start(watched), start(watched));
  const exercise = async (host: TestHost) => {
    for (const definition of definitions) await run(definition, host, options);
    checkLog(host, seen);
  };
  await exercise(first);
  await first.close().catch((error: unknown) => seen.breaks(`the host could not close: ${reasons(error)}`));
  await exercise(second);
  await second.close().catch((error: unknown) => seen.breaks(`the host could not close: ${reasons(error)}`));

  for (const definition of definitions) {
    for (const sentence of uncalled(definition, seen)) seen.breaks(sentence);
    for (const sentence of await unchecked(definition, (changes) => start(plugin, changes), options))
      seen.breaks(sentence);
  }
  for (const { what, count } of seen.closes.values()) {
    if (count !== 1) seen.breaks(`${what} was closed ${count} times`);
  }
  if (seen.broken.size > 0) {
    throw new Error(`${plugin.name} does not keep the rules of ${kind.name}:\n  ${[...seen.broken].join('\n  ')}`);
  }
  return [...seen.called].sort();
}

/** Both, once neither is under way any more. */
async function both<T>(one: Promise<T>, other: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

function startWith(t: TestContext, plugin: Plugin, options: ConformanceOptions): Promise<TestHost> {
  const { realmConfig = {}, argv = [], exercise: _, ...tested } = options;
  const realms = PLACES.map(([name]) => withConfig(withEnabled(testRealm(name), [plugin]), plugin, realmConfig));
  return startHost(t, { plugins: [{ ...tested, plugin }], realms, argv });
}

function withConfig(
  realm: JsonObject,
  { providers }: Plugin,
  config: Readonly<Record<string, JsonObject>>,
): JsonObject {
  const entries: Record<string, Record<string, JsonObject>> = structuredClone(
    (realm.providers ?? {}) as object,
  ) as never;
  for (const { spi, id } of providers) {
    const own = config[`${spi.id}/${id}`];
    if (own !== undefined) entries[spi.id] = { ...entries[spi.id], [id]: { ...entries[spi.id]?.[id], config: own } };
  }
  return { ...realm, providers: entries };
}

async function run(definition: ProviderDefinition, host: TestHost, options: ConformanceOptions): Promise<void> {
  await Promise.all(
    PLACES.map(async ([name, username]) => {
      const place: Place = { host, realm: host.realm(name), username };
      await EXERCISES[definition.spi.id]?.(definition, place);
      await options.exercise?.(place);
      await place.realm.events();
    }),
  );
  await work(definition, host);
}

/** Lets the provider do what it does beside requests. Alone: the clock goes past the next time of its schedule. */
async function work({ background, schedule }: ProviderDefinition, { clock, settled }: TestHost): Promise<void> {
  if (schedule === undefined && background !== true) return;
  await settled();
  if (schedule === undefined) return;
  clock.forward('every' in schedule ? schedule.every : LONGEST_BETWEEN);
  await settled();
}

/** What the host had to write down as an error is one of the plugin's. */
function checkLog({ log }: TestHost, seen: Observations): void {
  for (const { level, message, fields } of log) {
    if (level !== 'error') continue;
    const { stack: _, ...told } = fields;
    seen.breaks(`the host logged: ${message} ${JSON.stringify(told)}`);
  }
}

/** Methods that nothing called were not checked. */
function uncalled({ id, declaration, background, schedule }: ProviderDefinition, seen: Observations): string[] {
  const declared = operationNames(declaration).map((name) => `${id} ${name}`);
  if (background === true) declared.push(`${id} background`);
  if (schedule !== undefined) declared.push(`${id} scheduled`);
  const own =
    operationNames(declaration).length > 0 ? declared : [...seen.present].filter((name) => name.startsWith(`${id} `));
  const optional = new Set(['close', 'constructor', 'reusable', 'confirm', 'verify', 'action', 'configuredFor']);
  return own
    .filter((name) => !seen.called.has(name) && !optional.has(name.slice(id.length + 1)))
    .map((name) => `${name}: no test called it: pass an \`exercise\` that does`);
}

/** Configuration with a key that no schema knows must not pass, neither host-wide nor in a realm. */
async function unchecked(
  { spi, id }: ProviderDefinition,
  start: (changes: Partial<ConformanceOptions>) => Promise<TestHost>,
  { config = {}, realmConfig = {} }: ConformanceOptions,
): Promise<string[]> {
  const name = `${spi.id}/${id}`;
  const odd = (known: Readonly<Record<string, JsonObject>>) => ({
    ...known,
    [name]: { ...known[name], 'no-such-key': true },
  });
  const passes = async (changes: Partial<ConformanceOptions>, code: string) => {
    try {
      await (await start(changes)).close();
      return true;
    } catch (error) {
      if (memberOf(error, 'code') === code) return false;
      throw error;
    }
  };
  const advice = 'its schema requires "additionalProperties": false';
  return [
    ...((await passes({ config: odd(config) }, 'plugin_config'))
      ? [`${id}: config accepts unknown keys: ${advice}`]
      : []),
    ...((await passes({ realmConfig: odd(realmConfig) }, 'realm_invalid'))
      ? [`${id}: realmConfig accepts unknown keys: ${advice}`]
      : []),
  ];
}

function reasons(error: unknown): string {
  const [errors, cause] = [memberOf(error, 'errors'), memberOf(memberOf(error, 'cause'), 'message')];
  const inner = Array.isArray(errors) ? errors.map(reasons) : cause === undefined ? [] : [String(cause)];
  return [String(memberOf(error, 'message')), ...inner].join(': ');
}
