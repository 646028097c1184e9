import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import { messageOf } from '../../model/thrown.js';
import type { Generation } from '../generations/generation.js';
import { createProvider, enabledProvider, isEnabledInRealm } from '../generations/realm-providers.js';
import type { ProviderRegistry } from '../generations/registry.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';
import type { Caller, HostSession } from '../sessions/host-session.js';
import type { SessionFactory } from '../sessions/session-factory.js';
import { type Runner, type WorkKey, WorkScheduler } from './work-scheduler.js';

/** The realms of the host. */
export interface RealmSource {
  names(): readonly string[];
  get(name: string): Promise<Realm | undefined>;
  /** @returns a function that removes the listener */
  onChanged(listener: (name: string) => void): () => void;
}

/** A plugin's provider that is enabled in a realm, during its work outside of requests. */
export interface WorkingProvider {
  readonly work: WorkKey;
  readonly registered: RegisteredProvider;
  /** The checked configuration of the realm. */
  readonly config: unknown;
  /** Aborted when the host stops. */
  readonly signal: AbortSignal;
  /** Runs a call in a session of its own, without a caller. */
  readonly within: <T>(call: (provider: object) => Promise<T>, more?: Pick<Caller, 'fence'>) => Promise<T>;
}

export interface RealmWorkRunnerParts {
  readonly registry: ProviderRegistry;
  readonly sessions: SessionFactory;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The work of providers outside of requests, in each realm that enables them. It looks for work when the host has
 * started, and after each change of a realm or of the plugins. If no plugin has such work, it reads no realm.
 */
export class RealmWorkRunner {
  readonly #parts: RealmWorkRunnerParts;
  readonly #hasWork: (provider: RegisteredProvider) => boolean;
  readonly #run: (working: WorkingProvider) => Promise<number | undefined>;
  readonly #onGone: (work: WorkKey) => void;
  readonly #runs: WorkScheduler;
  /** By generation, because each wake-up needs them. */
  readonly #works = new WeakMap<Generation, readonly RegisteredProvider[]>();
  #realms: RealmSource | undefined;
  #removeListener: () => void = () => {};
  #look = Promise.resolve();
  #isClosed = false;

  /**
   * @param isMeant returns true if a provider has such work
   * @param run does the work. @returns seconds until the next run; undefined if it only runs when woken
   * @param onGone called for work that no longer exists in a realm, or never did
   */
  constructor(
    parts: RealmWorkRunnerParts,
    isMeant: (provider: RegisteredProvider) => boolean,
    run: (working: WorkingProvider) => Promise<number | undefined>,
    onGone: (work: WorkKey) => void = () => {},
  ) {
    this.#parts = parts;
    this.#hasWork = isMeant;
    this.#run = run;
    this.#onGone = onGone;
    const { clock, logger, sessions } = parts;
    // Outside of the caller's fence: its writes are independent of the code that woke it.
    const apart: Runner = async (work, signal) => {
      const again = await sessions.store.unfenced(() => this.#runOne(work, signal));
      if (again === 'gone') this.#onGone(work);
      return again;
    };
    this.#runs = new WorkScheduler({ run: apart, clock, logger });
  }

  /** Runs the current plugins' work, and from now on the work of later ones. Called once. */
  open(realms: RealmSource): void {
    this.#realms = realms;
    this.#removeListener = realms.onChanged((name) => void this.#wakeIn(name, this.currentProviders()));
    this.pluginsChanged();
  }

  /** Called after plugins have changed: looks for work in every realm, one after the other. */
  pluginsChanged(): void {
    const works = this.#realms === undefined ? [] : this.currentProviders();
    if (works.length === 0) return;
    this.#look = this.#look.then(async () => {
      for (const name of this.#realms?.names() ?? []) {
        if (this.#isClosed) return;
        await this.#wakeIn(name, works);
        await turn();
      }
    });
  }

  wake(work: WorkKey): void {
    this.#runs.wake(work);
  }

  /** The providers that currently have such work. */
  currentProviders(): readonly RegisteredProvider[] {
    const { current } = this.#parts.registry;
    let works = this.#works.get(current);
    if (works === undefined) {
      works = current.list().filter(this.#hasWork);
      this.#works.set(current, works);
    }
    return works;
  }

  /** Resolves when all work that is due now has run. */
  async settled(): Promise<void> {
    await this.#look;
    await this.#runs.settled();
  }

  /** Aborts active runs, and waits for them to end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#removeListener();
    await Promise.all([this.#look, this.#runs.close()]);
  }

  async #wakeIn(name: string, works: readonly RegisteredProvider[]): Promise<void> {
    if (works.length === 0) return;
    try {
      const realm = await this.#realms?.get(name);
      for (const provider of works) {
        const work = { realm: name, provider: nameOf(provider) };
        if (realm !== undefined && isEnabledInRealm(realm, provider)) this.#runs.wake(work);
        else this.#onGone(work);
      }
    } catch (error) {
      this.#parts.logger.error('background work could not start', { realm: name, reason: messageOf(error) });
    }
  }

  async #runOne(work: WorkKey, signal: AbortSignal): Promise<number | undefined | 'gone'> {
    const realm = await this.#realms?.get(work.realm);
    const generation = this.#parts.registry.current;
    const registered = this.currentProviders().find((one) => nameOf(one) === work.provider);
    if (realm?.enabled !== true || registered === undefined || !isEnabledInRealm(realm, registered)) return 'gone';
    const enabled = enabledProvider(generation, realm, registered.spi, registered.id);
    if (enabled === undefined) return 'gone';
    generation.lease();
    try {
      return await this.#run({
        work,
        registered,
        config: enabled.config,
        signal,
        within: async (call, more = {}) => {
          const caller = { ip: '', secure: true, providers: generation, ...more };
          const session: HostSession = this.#parts.sessions.create(realm, caller, registered.plugin.name);
          const end = () => session.abort();
          signal.addEventListener('abort', end, { once: true });
          try {
            // Read before it may be aborted: a signal that is created later is aborted from the start.
            void session.signal;
            return await call(createProvider(enabled, session) as object);
          } finally {
            signal.removeEventListener('abort', end);
            await session.close();
          }
        },
      });
    } finally {
      generation.release();
    }
  }
}

export const nameOf = ({ spi, id }: Pick<RegisteredProvider, 'spi' | 'id'>) => `${spi.id}/${id}`;
