import type {
  Closeable,
  HostContext,
  Logger,
  MigrationContext,
  Plugin,
  ProviderDefinition,
  ProviderFactory,
  RealmView,
  StoredEntry,
} from '@keyhost/spi';
import { HostError, SPIS } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import { checkFactoryWork, checkWork } from '../loading/declared-work.js';
import { deepFreeze } from '../loading/deep-freeze.js';
import { spiOf } from '../loading/host-spis.js';
import { loggerWith } from '../log/logger-with.js';
import { findUncloneable, notCloneableError } from '../sessions/cloneable.js';
import { type CallContext, type CreationData, type DescribedProvider, MIGRATE_PLACEHOLDER, PLUGIN } from './frames.js';
import { restoreArguments } from './live-arguments.js';
import type { ServedCall } from './peer.js';
import { isStream } from './streams.js';
import { WorkerSession } from './worker-session.js';

type Methods = Readonly<Record<string, unknown>> & Closeable;

interface OpenedFactory {
  readonly definition: ProviderDefinition;
  /** `spi/id` */
  readonly key: string;
  readonly factory: ProviderFactory<unknown, unknown>;
  /** The methods that the host may call. */
  readonly names: readonly string[];
}

/** An instance of a provider for one session, created on its first call. */
interface Instance {
  readonly opening: CreationData;
  readonly controller: AbortController;
  provider?: Methods;
  /** True if the names of the provider's methods were sent to the host. */
  areMethodNamesSent?: boolean;
}

export interface WorkerPluginParts {
  readonly plugin: unknown;
  readonly logger: Logger;
  /** Calls a session of the host. */
  readonly callSession: (
    instance: number,
    signal: AbortSignal,
    method: string,
    args: readonly unknown[],
  ) => Promise<unknown>;
}

/**
 * If the clocks differ by more than this, in milliseconds, it is not the transit time of a message. The host then uses
 * a different clock, as in tests.
 */
const CLOCK_DIFFERENCE_MS = 1000;

/** Runs the plugin in a worker: opens its providers, creates them for sessions, and calls them for the host. */
export class WorkerPlugin {
  readonly #parts: WorkerPluginParts;
  readonly #openedFactories = new Map<number, OpenedFactory>();
  readonly #instances = new Map<number, Instance>();
  readonly #clock: HostContext['clock'];
  #clockOffset = 0;
  /** The current time of a clock that only moves when it is set. */
  #fixedTime: number | undefined;

  constructor(parts: WorkerPluginParts) {
    this.#parts = parts;
    this.#clock = Object.freeze({ now: () => this.#fixedTime ?? Date.now() + this.#clockOffset });
  }

  async serve(call: ServedCall): Promise<unknown> {
    if (call.target === PLUGIN) {
      if (call.method === 'migrate') return this.#migrate(call.args);
      return call.method === 'open' ? this.#open(call.args) : this.#close(call.args[0] as number);
    }
    const { now, standsStill, ended = [], opening } = call.context as CallContext;
    this.#fixedTime = standsStill === true ? now : undefined;
    const offset = now - Date.now();
    if (Math.abs(offset - this.#clockOffset) > CLOCK_DIFFERENCE_MS) this.#clockOffset = offset;
    this.endInstances(ended);
    let instance = this.#instances.get(call.target);
    if (instance === undefined && opening !== undefined) {
      instance = { opening, controller: new AbortController() };
      this.#instances.set(call.target, instance);
    }
    if (instance === undefined) throw new HostError('session_closed', 'the session has ended');
    return this.#call(call, instance);
  }

  /** Called when sessions have ended. References to them that a provider has stored no longer work. */
  endInstances(instances: readonly number[]): void {
    for (const id of instances) {
      this.cancelInstance(id);
      this.#instances.delete(id);
    }
  }

  /** Aborts the signal of an instance, because its results are no longer needed. */
  cancelInstance(instance: number): void {
    this.#instances.get(instance)?.controller.abort(new HostError('session_closed', 'the session has ended'));
  }

  async #open([number, key, config, names, version]: readonly unknown[]): Promise<boolean> {
    const { providers } = this.#parts.plugin as Plugin;
    const definition = providers.find(({ spi, id }) => `${spi.id}/${id}` === key);
    if (definition === undefined) throw new Error(`the plugin has no ${String(key)}`);
    const host = Object.freeze({ logger: this.#parts.logger, clock: this.#clock, version: String(version) });
    const factory = await definition.open(deepFreeze(config), host);
    if (typeof factory?.create !== 'function') return false;
    await checkFactoryWork(definition, factory).catch(async (error) => {
      await factory.close?.();
      throw error;
    });
    this.#openedFactories.set(number as number, { definition, key: String(key), factory, names: names as string[] });
    return true;
  }

  async #migrate([entry, context]: readonly unknown[]): Promise<unknown> {
    const { name, state } = this.#parts.plugin as Plugin;
    const answer: unknown = await state?.migrate?.(entry as StoredEntry, context as MigrationContext);
    const uncloneablePart = findUncloneable(answer);
    if (uncloneablePart !== undefined)
      throw notCloneableError(`${name}: migrate of its state answered with ${uncloneablePart}`);
    return answer;
  }

  async #close(number: number): Promise<void> {
    const factory = this.#openedFactories.get(number);
    this.#openedFactories.delete(number);
    await factory?.factory.close?.();
  }

  async #call(servedCall: ServedCall, instance: Instance): Promise<unknown> {
    const { target, method, args } = servedCall;
    const openedFactory = this.#openedFactories.get(instance.opening.factory);
    if (openedFactory === undefined) throw new Error('the provider was closed');
    const { definition, key, names } = openedFactory;
    const { signal } = instance.controller;
    const call = (sessionMethod: string, ...sessionArguments: unknown[]) =>
      this.#parts.callSession(target, signal, sessionMethod, sessionArguments);
    instance.provider ??= this.#create(openedFactory, instance, call);
    const { provider } = instance;
    if (!instance.areMethodNamesSent)
      servedCall.methodNames = names.filter((name) => typeof provider[name] === 'function');
    instance.areMethodNamesSent = true;
    const calledMethod = provider[method];
    if (typeof calledMethod !== 'function') return undefined;
    const answer: unknown = calledMethod.apply(provider, restoreArguments(spiOf(definition), args, { signal, call }));
    const value = isStream(answer) ? answer : await answer;
    const uncloneablePart = isStream(value) ? undefined : findUncloneable(value);
    if (uncloneablePart !== undefined) {
      throw notCloneableError(
        `${(this.#parts.plugin as Plugin).name}: ${key} answered ${method} with ${uncloneablePart}`,
      );
    }
    return value;
  }

  #create(
    { definition, factory }: OpenedFactory,
    { opening, controller }: Instance,
    call: (method: string, ...args: unknown[]) => Promise<unknown>,
  ): Methods {
    const { remoteAddress, realmConfig } = opening;
    const realm = deepFreeze(opening.realm) as RealmView;
    const session = new WorkerSession({
      remoteAddress,
      call,
      logger: loggerWith(this.#parts.logger, { realm: realm.name }),
      clock: this.#clock,
      signal: controller.signal,
      realm,
    });
    const provider = factory.create(session, deepFreeze(realmConfig)) as Methods;
    checkWork(definition, provider);
    return provider;
  }
}

/**
 * Returns the plugin as plain data, for the host to validate.
 * @throws HostError `not_cloneable`
 */
export function describePlugin(plugin: unknown): unknown {
  if (typeof plugin !== 'object' || plugin === null) return typeof plugin === 'function' ? undefined : plugin;
  const { name, api, spis, needs, metrics, messages, providers } = plugin as Readonly<Record<string, unknown>>;
  const state = describeState((plugin as Readonly<Record<string, unknown>>).state);
  const uncloneablePart = findUncloneable({ spis, needs, metrics, messages, state });
  if (uncloneablePart !== undefined) throw notCloneableError(`${String(name)} declares ${uncloneablePart}`);
  const description = defined({ name, api, spis, needs, metrics, messages, state });
  if (!Array.isArray(providers)) return description;
  return { ...description, providers: providers.map(describeProvider) };
}

/** Replaces the `migrate` function by a placeholder. */
function describeState(state: unknown): unknown {
  if (typeof state !== 'object' || state === null) return state;
  const { migrate, ...rest } = state as Readonly<Record<string, unknown>>;
  return {
    ...rest,
    ...(migrate === undefined ? {} : { migrate: typeof migrate === 'function' ? MIGRATE_PLACEHOLDER : migrate }),
  };
}

function describeProvider(definition: Partial<Plugin['providers'][number]> | undefined): DescribedProvider {
  const { spi, id, version, config, realmConfig, sharesConfig, declaration, background, schedule, open } =
    definition ?? {};
  const hasOpen = typeof open === 'function';
  // The SPI of a plugin is sent completely, because the host has no definition of it.
  const isHostSpi = spi === undefined || SPIS.some(({ id }) => id === spi.id);
  const spiDescription = isHostSpi ? { id: spi?.id } : spi;
  const described = {
    spi: spiDescription,
    id,
    version,
    config,
    realmConfig,
    sharesConfig,
    declaration,
    background,
    schedule,
    opens: hasOpen,
  };
  const uncloneablePart = findUncloneable(described);
  if (uncloneablePart !== undefined)
    throw notCloneableError(`${String(spi?.id)}/${String(id)} declares ${uncloneablePart}`);
  return described;
}
