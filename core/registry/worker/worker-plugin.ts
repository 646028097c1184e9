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
import { notCloneable, uncloneable } from '../sessions/cloneable.js';
import { type CallContext, type DescribedProvider, MIGRATE_PLACEHOLDER, type Opening, PLUGIN } from './frames.js';
import { restoreArguments } from './live-arguments.js';
import type { ServedCall } from './peer.js';
import { isStream } from './streams.js';
import { WorkerSession } from './worker-session.js';

type Methods = Readonly<Record<string, unknown>> & Closeable;

interface Opened {
  readonly definition: ProviderDefinition;
  /** `spi/id` */
  readonly key: string;
  readonly factory: ProviderFactory<unknown, unknown>;
  /** The methods that the host may call. */
  readonly names: readonly string[];
}

/** A provider of one session, created on its first call. */
interface Instance {
  readonly opening: Opening;
  readonly controller: AbortController;
  provider?: Methods;
  /** True if the host has received the names of the provider's methods. */
  methodsSent?: boolean;
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
 * A larger difference of the clocks, in milliseconds, is not the transit time of a message: the host uses its own
 * clock, as tests do.
 */
const CLOCK_DIFFERENCE_MS = 1000;

/** The plugin in a worker: opens its providers, creates them for sessions, and calls them for the host. */
export class WorkerPlugin {
  readonly #parts: WorkerPluginParts;
  readonly #opened = new Map<number, Opened>();
  readonly #instances = new Map<number, Instance>();
  readonly #clock: HostContext['clock'];
  #ahead = 0;
  /** The current time of a clock that stands still. */
  #standing: number | undefined;

  constructor(parts: WorkerPluginParts) {
    this.#parts = parts;
    this.#clock = Object.freeze({ now: () => this.#standing ?? Date.now() + this.#ahead });
  }

  async serve(call: ServedCall): Promise<unknown> {
    if (call.target === PLUGIN) {
      if (call.method === 'migrate') return this.#migrate(call.args);
      return call.method === 'open' ? this.#open(call.args) : this.#close(call.args[0] as number);
    }
    const { now, standsStill, ended = [], opening } = call.context as CallContext;
    this.#standing = standsStill === true ? now : undefined;
    const ahead = now - Date.now();
    if (Math.abs(ahead - this.#ahead) > CLOCK_DIFFERENCE_MS) this.#ahead = ahead;
    this.end(ended);
    let instance = this.#instances.get(call.target);
    if (instance === undefined && opening !== undefined) {
      instance = { opening, controller: new AbortController() };
      this.#instances.set(call.target, instance);
    }
    if (instance === undefined) throw new HostError('session_closed', 'the session has ended');
    return this.#call(call, instance);
  }

  /** Called when sessions have ended: references to them that a provider has stored no longer work. */
  end(instances: readonly number[]): void {
    for (const id of instances) {
      this.cancel(id);
      this.#instances.delete(id);
    }
  }

  /** Aborts the signal of the instance, because its results are no longer needed. */
  cancel(instance: number): void {
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
    this.#opened.set(number as number, { definition, key: String(key), factory, names: names as string[] });
    return true;
  }

  async #migrate([entry, context]: readonly unknown[]): Promise<unknown> {
    const { name, state } = this.#parts.plugin as Plugin;
    const answer: unknown = await state?.migrate?.(entry as StoredEntry, context as MigrationContext);
    const part = uncloneable(answer);
    if (part !== undefined) throw notCloneable(`${name}: migrate of its state answered with ${part}`);
    return answer;
  }

  async #close(number: number): Promise<void> {
    const opened = this.#opened.get(number);
    this.#opened.delete(number);
    await opened?.factory.close?.();
  }

  async #call(served: ServedCall, instance: Instance): Promise<unknown> {
    const { target, method, args } = served;
    const opened = this.#opened.get(instance.opening.factory);
    if (opened === undefined) throw new Error('the provider was closed');
    const { definition, key, names } = opened;
    const { signal } = instance.controller;
    const call = (asked: string, ...given: unknown[]) => this.#parts.callSession(target, signal, asked, given);
    instance.provider ??= this.#create(opened, instance, call);
    const { provider } = instance;
    if (!instance.methodsSent) served.extra = names.filter((name) => typeof provider[name] === 'function');
    instance.methodsSent = true;
    const called = provider[method];
    if (typeof called !== 'function') return undefined;
    const answer: unknown = called.apply(provider, restoreArguments(spiOf(definition), args, { signal, call }));
    const value = isStream(answer) ? answer : await answer;
    const part = isStream(value) ? undefined : uncloneable(value);
    if (part !== undefined) {
      throw notCloneable(`${(this.#parts.plugin as Plugin).name}: ${key} answered ${method} with ${part}`);
    }
    return value;
  }

  #create(
    { definition, factory }: Opened,
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
 * Returns the plugin as data, for the host to check.
 * @throws HostError `not_cloneable`
 */
export function describePlugin(plugin: unknown): unknown {
  if (typeof plugin !== 'object' || plugin === null) return typeof plugin === 'function' ? undefined : plugin;
  const { name, api, spis, needs, metrics, messages, providers } = plugin as Readonly<Record<string, unknown>>;
  const state = describeState((plugin as Readonly<Record<string, unknown>>).state);
  const part = uncloneable({ spis, needs, metrics, messages, state });
  if (part !== undefined) throw notCloneable(`${String(name)} declares ${part}`);
  const own = defined({ name, api, spis, needs, metrics, messages, state });
  if (!Array.isArray(providers)) return own;
  return { ...own, providers: providers.map(describeProvider) };
}

/** Replaces the function that migrates entries by a placeholder. */
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
  const opens = typeof open === 'function';
  // A plugin's SPI is sent as a whole, because the host has no constant for it.
  const isHosts = spi === undefined || SPIS.some(({ id }) => id === spi.id);
  const shown = isHosts ? { id: spi?.id } : spi;
  const described = {
    spi: shown,
    id,
    version,
    config,
    realmConfig,
    sharesConfig,
    declaration,
    background,
    schedule,
    opens,
  };
  const part = uncloneable(described);
  if (part !== undefined) throw notCloneable(`${String(spi?.id)}/${String(id)} declares ${part}`);
  return described;
}
