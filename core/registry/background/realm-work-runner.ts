import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import { messageOf } from '../../model/thrown.js';
import type { Generation } from '../generations/generation.js';
import { createProvider, enabledProvider, isEnabledInRealm } from '../generations/realm-providers.js';
import type { ProviderRegistry } from '../generations/registry.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';
import type { Caller } from '../sessions/caller.js';
import type { HostSession } from '../sessions/host-session.js';
import type { SessionFactory } from '../sessions/session-factory.js';
import { type RunWork, type WorkKey, WorkScheduler } from './work-scheduler.js';

/** The realms of the host. */
export interface RealmSource {
  names(): readonly string[];
  get(name: string): Promise<Realm | undefined>;
  /** @returns a function that removes the listener */
  onChanged(listener: (name: string) => void): () => void;
}

/** A run of the work that a plugin's provider does outside of requests, in a realm that enables it. */
export interface WorkRun {
  readonly work: WorkKey;
  readonly registered: RegisteredProvider;
  /** The checked configuration of the realm. */
  readonly config: unknown;
  /** Aborted when the host stops. */
  readonly signal: AbortSignal;
  /** Creates the provider in a new session that has no caller, and passes it to a function. */
  readonly runWithProvider: <T>(call: (provider: object) => Promise<T>, options?: Pick<Caller, 'fence'>) => Promise<T>;
}

export interface RealmWorkRunnerParts {
  readonly registry: ProviderRegistry;
  readonly sessions: SessionFactory;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Runs the work that providers do outside of requests, in each realm that enables them. It looks for work when the host
 * has started, and after each change of a realm or of the plugins. If no plugin has such work, it reads no realm.
 */
export class RealmWorkRunner {
  readonly #parts: RealmWorkRunnerParts;
  readonly #hasWork: (provider: RegisteredProvider) => boolean;
  readonly #runWork: (run: WorkRun) => Promise<number | undefined>;
  readonly #onGone: (work: WorkKey) => void;
  readonly #scheduler: WorkScheduler;
  /**
   * The providers with such work, by generation (the providers that are used together). They are cached, because each
   * wake-up reads them.
   */
  readonly #providersByGeneration = new WeakMap<Generation, readonly RegisteredProvider[]>();
  #realms: RealmSource | undefined;
  #removeListener: () => void = () => {};
  #wakeUps = Promise.resolve();
  #isClosed = false;

  /**
   * @param hasWork returns true if a provider has work of this type
   * @param runWork does the work, and returns the seconds until the next run; undefined if it only runs when woken
   * @param onGone called for work that does not exist in a realm (any more)
   */
  constructor(
    parts: RealmWorkRunnerParts,
    hasWork: (provider: RegisteredProvider) => boolean,
    runWork: (run: WorkRun) => Promise<number | undefined>,
    onGone: (work: WorkKey) => void = () => {},
  ) {
    this.#parts = parts;
    this.#hasWork = hasWork;
    this.#runWork = runWork;
    this.#onGone = onGone;
    const { clock, logger, sessions } = parts;
    // The work does not depend on the caller that woke it. So it runs outside the caller's fence (a lease that the
    // store checks before each write).
    const runUnfenced: RunWork = async (work, signal) => {
      const again = await sessions.store.unfenced(() => this.#runOne(work, signal));
      if (again === 'gone') this.#onGone(work);
      return again;
    };
    this.#scheduler = new WorkScheduler({ run: runUnfenced, clock, logger });
  }

  /** Runs the work of the current plugins, and from now on that of plugins that are loaded later. Called once. */
  open(realms: RealmSource): void {
    this.#realms = realms;
    this.#removeListener = realms.onChanged((name) => void this.#wakeRealm(name, this.currentProviders()));
    this.pluginsChanged();
  }

  /** Called after plugins have changed. Looks for work in one realm after the other. */
  pluginsChanged(): void {
    const providers = this.#realms === undefined ? [] : this.currentProviders();
    if (providers.length === 0) return;
    this.#wakeUps = this.#wakeUps.then(async () => {
      for (const name of this.#realms?.names() ?? []) {
        if (this.#isClosed) return;
        await this.#wakeRealm(name, providers);
        await turn();
      }
    });
  }

  wake(work: WorkKey): void {
    this.#scheduler.wake(work);
  }

  /** The providers that currently have such work. */
  currentProviders(): readonly RegisteredProvider[] {
    const { current } = this.#parts.registry;
    let providers = this.#providersByGeneration.get(current);
    if (providers === undefined) {
      providers = current.list().filter(this.#hasWork);
      this.#providersByGeneration.set(current, providers);
    }
    return providers;
  }

  /** Resolves when all work that is due now has run. */
  async settled(): Promise<void> {
    await this.#wakeUps;
    await this.#scheduler.settled();
  }

  /** Aborts active runs, and waits for them to end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#removeListener();
    await Promise.all([this.#wakeUps, this.#scheduler.close()]);
  }

  async #wakeRealm(name: string, providers: readonly RegisteredProvider[]): Promise<void> {
    if (providers.length === 0) return;
    try {
      const realm = await this.#realms?.get(name);
      for (const provider of providers) {
        const work = { realm: name, provider: providerName(provider) };
        if (realm !== undefined && isEnabledInRealm(realm, provider)) this.#scheduler.wake(work);
        else this.#onGone(work);
      }
    } catch (error) {
      this.#parts.logger.error('background work could not start', { realm: name, reason: messageOf(error) });
    }
  }

  async #runOne(work: WorkKey, signal: AbortSignal): Promise<number | undefined | 'gone'> {
    const realm = await this.#realms?.get(work.realm);
    const generation = this.#parts.registry.current;
    const registeredProvider = this.currentProviders().find((candidate) => providerName(candidate) === work.provider);
    if (realm?.enabled !== true || registeredProvider === undefined || !isEnabledInRealm(realm, registeredProvider))
      return 'gone';
    const provider = enabledProvider(generation, realm, registeredProvider.spi, registeredProvider.id);
    if (provider === undefined) return 'gone';
    generation.lease();
    try {
      return await this.#runWork({
        work,
        registered: registeredProvider,
        config: provider.config,
        signal,
        runWithProvider: async (call, options = {}) => {
          const caller = { ip: '', secure: true, providers: generation, ...options };
          const session: HostSession = this.#parts.sessions.create(realm, caller, registeredProvider.plugin.name);
          const abortSession = () => session.abort();
          signal.addEventListener('abort', abortSession, { once: true });
          try {
            // Creates the signal now, because an abort before its creation would be lost.
            void session.signal;
            return await call(createProvider(provider, session) as object);
          } finally {
            signal.removeEventListener('abort', abortSession);
            await session.close();
          }
        },
      });
    } finally {
      generation.release();
    }
  }
}

export const providerName = ({ spi, id }: Pick<RegisteredProvider, 'spi' | 'id'>) => `${spi.id}/${id}`;
