import type { JsonObject } from '../../json-schema.js';
import type { Plugin, ProviderDefinition, Spi } from '../../plugin.js';
import type { EnabledValues } from '../enabled-settings.js';
import { startHost, type TestContext, type TestedPlugin, type TestHost } from '../start-host.js';
import { memberOf } from '../thrown.js';
import { EXERCISES } from './exercises.js';
import { Observations, observed } from './observed-plugin.js';
import { operationNames } from './operation-names.js';
import { type Pair, pairsOf, realmsOf, wholePair } from './pairs.js';
import type { Place } from './place.js';
import { missingSamples, sampleConfig } from './sample-config.js';

/** The options of `conforms`. */
export interface ConformanceOptions extends Omit<TestedPlugin, 'plugin'>, EnabledValues {
  /** Additional arguments of the host's command line. */
  readonly argv?: readonly string[];
  /** Additional calls, for methods that the kit does not reach. They run with all providers of the plugin enabled. */
  readonly exercise?: (place: Place) => Promise<void>;
}

/** Seconds, within which every cron expression is due that is due once a year. */
const YEAR_SECONDS = 366 * 86_400;

/**
 * Checks that the plugin's providers of an SPI follow the rules of the contract. They run in process, but the rules for
 * a worker are checked, too. The rules are: plain values, promises, errors with a response, no state shared between
 * calls, everything closed, and unknown keys of the configuration rejected. It starts hosts and calls the providers
 * through them. Required values of `config`, `realmConfig` and `settings` that the options do not set are made up.
 * @param spi the SPI's constant, such as `RealmResourceProvider`
 * @returns the methods that were called, such as `hello greet`
 * @throws Error with every broken rule, or with the settings that cannot be made up
 */
export async function conforms(
  t: TestContext,
  spi: Spi,
  plugin: Plugin,
  options: ConformanceOptions = {},
): Promise<readonly string[]> {
  const definitions = plugin.providers.filter((definition) => definition.spi.id === spi.id);
  if (definitions.length === 0) throw new Error(`${plugin.name} has no ${spi.name}`);
  const config = sampleConfig(plugin.providers, options.config ?? {});
  const problems = missingSamples(plugin.providers, config, options);
  if (problems.length > 0) throw new Error(`${plugin.name} requires settings:\n  ${problems.join('\n  ')}`);
  const pairs = pairsOf(plugin, definitions);
  const whole = wholePair(plugin, pairs);
  const testedPairs = options.exercise === undefined || pairs.includes(whole) ? pairs : [...pairs, whole];
  const seen = new Observations();
  const start = (testedPlugin: Plugin, testedPairs: readonly Pair[], changes: Partial<ConformanceOptions> = {}) => {
    const { realmConfig, settings, argv = [], exercise: _, ...tested } = { ...options, config, ...changes };
    const realms = testedPairs.flatMap((pair) => realmsOf(pair, plugin, defined({ realmConfig, settings })));
    return startHost(t, { plugins: [{ ...tested, plugin: testedPlugin }], realms, argv }).catch(withAdvice);
  };

  const observedPlugin = observed(plugin, spi, seen);
  // Two hosts at once, as when a new version takes over from an old one.
  const [first, second] = await bothSettled(start(observedPlugin, testedPairs), start(observedPlugin, testedPairs));
  for (const host of [first, second]) {
    for (const pair of pairs) {
      for (const definition of pair.definitions) {
        await runExercise(definition, host, { pair, whole, seen, exercise: options.exercise });
      }
    }
    checkLog(host, seen);
    await host.close().catch((error: unknown) => seen.breaks(`the host could not close: ${describeError(error)}`));
  }

  for (const pair of pairs) {
    for (const definition of pair.definitions) {
      for (const sentence of uncalledMethods(definition, seen)) seen.breaks(sentence);
      const startWith = (changes: Partial<ConformanceOptions>) => start(plugin, [pair], changes);
      for (const sentence of await acceptedUnknownKeys(definition, startWith, { ...options, config }))
        seen.breaks(sentence);
    }
  }
  for (const { what, count } of seen.closes.values()) {
    if (count !== 1) seen.breaks(`${what} was closed ${count} times`);
  }
  if (seen.broken.size > 0) {
    throw new Error(`${plugin.name} does not keep the rules of ${spi.name}:\n  ${[...seen.broken].join('\n  ')}`);
  }
  return [...seen.called].sort();
}

/** Adds advice if the start failed because of settings: the test may have to set other values than the kit made up. */
function withAdvice(error: unknown): never {
  const code = memberOf(error, 'code');
  if (error instanceof Error && (code === 'plugin_config' || code === 'realm_invalid')) {
    error.message +=
      '\n  → what the schemas require was made up: pass other values as `config`, `realmConfig` or `settings`';
  }
  throw error;
}

function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

/** Waits until both have settled. */
async function bothSettled<T>(one: Promise<T>, other: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

interface ExerciseParts {
  readonly pair: Pair;
  readonly whole: Pair;
  readonly seen: Observations;
  readonly exercise: ConformanceOptions['exercise'];
}

async function runExercise(definition: ProviderDefinition, host: TestHost, parts: ExerciseParts): Promise<void> {
  const { pair, whole, seen, exercise } = parts;
  const placeOf = ({ realm, username }: Pair['places'][number]): Place => ({
    host,
    realm: host.realm(realm),
    username,
  });
  await Promise.all(
    pair.places.map(async (location, index) => {
      const place = placeOf(location);
      await EXERCISES[definition.spi.id]?.(definition, place, seen);
      await exercise?.(placeOf(whole.places[index] ?? location));
      await place.realm.events();
    }),
  );
  await runWork(definition, host);
}

/** Runs the provider's work outside of requests. Call it alone: it moves the clock past the next scheduled time. */
async function runWork({ background, schedule }: ProviderDefinition, { clock, settled }: TestHost): Promise<void> {
  if (schedule === undefined && background !== true) return;
  await settled();
  if (schedule === undefined) return;
  clock.forward('every' in schedule ? schedule.every : YEAR_SECONDS);
  await settled();
}

/** Reports errors in the host's log as the plugin's. */
function checkLog({ log }: TestHost, seen: Observations): void {
  for (const { level, message, fields } of log) {
    if (level !== 'error') continue;
    const { stack: _, ...otherFields } = fields;
    seen.breaks(`the host logged: ${message} ${JSON.stringify(otherFields)}`);
  }
}

/** Methods that nothing called were not checked. */
function uncalledMethods(definition: ProviderDefinition, seen: Observations): string[] {
  const { id, declaration, background, schedule } = definition;
  const declared = operationNames(declaration).map((name) => `${id} ${name}`);
  if (background === true) declared.push(`${id} background`);
  if (schedule !== undefined) declared.push(`${id} scheduled`);
  const expected =
    operationNames(declaration).length > 0 ? declared : [...seen.present].filter((name) => name.startsWith(`${id} `));
  const { config, realmConfig } = definition;
  const members = Object.entries({ config, realmConfig, settings: declaration.settings }).flatMap(([member, schema]) =>
    schema === undefined ? [] : [member],
  );
  const reachedBy = members.length === 0 ? '' : `, or \`${members.join('` or `')}\` with which it is called`;
  const optional = new Set(['close', 'constructor', 'reusable', 'confirm', 'verify', 'action', 'configuredFor']);
  return expected
    .filter((name) => !seen.called.has(name) && !optional.has(name.slice(id.length + 1)))
    .map((name) => `${name}: no test called it: pass an \`exercise\` that does${reachedBy}`);
}

/** Configuration with a key that no schema knows must not pass, neither host-wide nor in a realm. */
async function acceptedUnknownKeys(
  { spi, id }: ProviderDefinition,
  start: (changes: Partial<ConformanceOptions>) => Promise<TestHost>,
  { config = {}, realmConfig = {} }: ConformanceOptions,
): Promise<string[]> {
  const name = `${spi.id}/${id}`;
  const withUnknownKey = (known: Readonly<Record<string, JsonObject>>) => ({
    ...known,
    [name]: { ...known[name], 'no-such-key': true },
  });
  const isAccepted = async (changes: Partial<ConformanceOptions>, code: string) => {
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
    ...((await isAccepted({ config: withUnknownKey(config) }, 'plugin_config'))
      ? [`${id}: config accepts unknown keys: ${advice}`]
      : []),
    ...((await isAccepted({ realmConfig: withUnknownKey(realmConfig) }, 'realm_invalid'))
      ? [`${id}: realmConfig accepts unknown keys: ${advice}`]
      : []),
  ];
}

function describeError(error: unknown): string {
  const errors = memberOf(error, 'errors');
  const cause = memberOf(memberOf(error, 'cause'), 'message');
  const inner = Array.isArray(errors) ? errors.map(describeError) : cause === undefined ? [] : [String(cause)];
  return [String(memberOf(error, 'message')), ...inner].join(': ');
}
