import type { JsonObject } from '../../json-schema.js';
import type { Plugin, ProviderDefinition, Spi } from '../../plugin.js';
import type { EnabledValues } from '../enabled-settings.js';
import { startHost, type TestContext, type TestedPlugin, type TestHost } from '../start-host.js';
import { memberOf } from '../thrown.js';
import { EXERCISES } from './exercises.js';
import { Observations, observePlugin } from './observed-plugin.js';
import { operationNames } from './operation-names.js';
import { pairOfWholePlugin, pairsOf, type RealmPair, realmsOf } from './pairs.js';
import type { Place } from './place.js';
import { describeMismatches, sampleConfig } from './sample-config.js';

/** The options of `conforms`. */
export interface ConformanceOptions extends Omit<TestedPlugin, 'plugin'>, EnabledValues {
  /** Additional arguments of the host's command line. */
  readonly argv?: readonly string[];
  /** Additional calls, for methods that the kit does not reach. They run with all providers of the plugin enabled. */
  readonly exercise?: (place: Place) => Promise<void>;
}

/** In seconds: the time within which every cron expression that is due once a year is due. */
const YEAR_SECONDS = 366 * 86_400;

/**
 * Checks that the plugin's providers of an SPI follow the rules of the contract. Methods return promises of plain
 * values, and throw errors with a response. Calls share no session, everything is closed, and unknown keys of the
 * configuration are rejected. The check starts hosts and calls the providers through them, in process, but also by the
 * rules for a worker. Required values of `config`, `realmConfig` and `settings` that the options do not set are made
 * up.
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
  const problems = describeMismatches(plugin.providers, config, options);
  if (problems.length > 0) throw new Error(`${plugin.name} requires settings:\n  ${problems.join('\n  ')}`);
  const pairs = pairsOf(plugin, definitions);
  const whole = pairOfWholePlugin(plugin, pairs);
  const testedPairs = options.exercise === undefined || pairs.includes(whole) ? pairs : [...pairs, whole];
  const seen = new Observations();
  const start = (
    testedPlugin: Plugin,
    testedPairs: readonly RealmPair[],
    changes: Partial<ConformanceOptions> = {},
  ) => {
    const { realmConfig, settings, argv = [], exercise: _, ...tested } = { ...options, config, ...changes };
    const realms = testedPairs.flatMap((pair) => realmsOf(pair, plugin, defined({ realmConfig, settings })));
    return startHost(t, { plugins: [{ ...tested, plugin: testedPlugin }], realms, argv }).catch(throwWithAdvice);
  };

  const observedPlugin = observePlugin(plugin, spi, seen);
  // Two hosts run at the same time, as if a new version replaced an old one.
  const [first, second] = await bothSettled(start(observedPlugin, testedPairs), start(observedPlugin, testedPairs));
  for (const host of [first, second]) {
    for (const pair of pairs) {
      for (const definition of pair.definitions) {
        await runExercise(definition, host, { pair, whole, seen, exercise: options.exercise });
      }
    }
    checkLog(host, seen);
    await host
      .close()
      .catch((error: unknown) => seen.recordBroken(`the host could not close: ${describeError(error)}`));
  }

  for (const pair of pairs) {
    for (const definition of pair.definitions) {
      for (const sentence of uncalledMethodSentences(definition, seen)) seen.recordBroken(sentence);
      const startWith = (changes: Partial<ConformanceOptions>) => start(plugin, [pair], changes);
      for (const sentence of await unknownKeySentences(definition, startWith, { ...options, config }))
        seen.recordBroken(sentence);
    }
  }
  for (const { owner, count } of seen.closeCounts.values()) {
    if (count !== 1) seen.recordBroken(`${owner} was closed ${count} times`);
  }
  if (seen.brokenRules.size > 0) {
    throw new Error(`${plugin.name} does not keep the rules of ${spi.name}:\n  ${[...seen.brokenRules].join('\n  ')}`);
  }
  return [...seen.calledMethods].sort();
}

/**
 * Adds advice to the error if a start failed because of settings, since the test may have to replace values that the
 * kit made up.
 */
function throwWithAdvice(error: unknown): never {
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

interface ExerciseOptions {
  readonly pair: RealmPair;
  readonly whole: RealmPair;
  readonly seen: Observations;
  readonly exercise: ConformanceOptions['exercise'];
}

async function runExercise(definition: ProviderDefinition, host: TestHost, parts: ExerciseOptions): Promise<void> {
  const { pair, whole, seen, exercise } = parts;
  const placeOf = ({ realm, username }: RealmPair['places'][number]): Place => ({
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

/**
 * Runs the provider's background and scheduled work. Nothing else may run meanwhile, since it moves the clock past the
 * next scheduled time.
 */
async function runWork({ background, schedule }: ProviderDefinition, { clock, settled }: TestHost): Promise<void> {
  if (schedule === undefined && background !== true) return;
  await settled();
  if (schedule === undefined) return;
  clock.forward('every' in schedule ? schedule.every : YEAR_SECONDS);
  await settled();
}

/** Reports errors in the host's log as broken rules of the plugin. */
function checkLog({ log }: TestHost, seen: Observations): void {
  for (const { level, message, fields } of log) {
    if (level !== 'error') continue;
    const { stack: _, ...otherFields } = fields;
    seen.recordBroken(`the host logged: ${message} ${JSON.stringify(otherFields)}`);
  }
}

/** Returns a sentence for each method that was not called, and thus not checked. */
function uncalledMethodSentences(definition: ProviderDefinition, seen: Observations): string[] {
  const { id, declaration, background, schedule } = definition;
  const declared = operationNames(declaration).map((name) => `${id} ${name}`);
  if (background === true) declared.push(`${id} background`);
  if (schedule !== undefined) declared.push(`${id} scheduled`);
  const expected =
    operationNames(declaration).length > 0
      ? declared
      : [...seen.presentMethods].filter((name) => name.startsWith(`${id} `));
  const { config, realmConfig } = definition;
  const members = Object.entries({ config, realmConfig, settings: declaration.settings }).flatMap(([member, schema]) =>
    schema === undefined ? [] : [member],
  );
  const reachedBy = members.length === 0 ? '' : `, or \`${members.join('` or `')}\` with which it is called`;
  const optional = new Set(['close', 'constructor', 'reusable', 'confirm', 'verify', 'action', 'configuredFor']);
  return expected
    .filter((name) => !seen.calledMethods.has(name) && !optional.has(name.slice(id.length + 1)))
    .map((name) => `${name}: no test called it: pass an \`exercise\` that does${reachedBy}`);
}

/** Returns a sentence for each configuration, host-wide or in a realm, that accepts an unknown key. */
async function unknownKeySentences(
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
