import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import { messageOf } from '../../model/thrown.js';
import type { Generation } from '../generations/generation.js';
import { createProvider, enabledProvider, isOn } from '../generations/realm-providers.js';
import type { ProviderRegistry } from '../generations/registry.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';
import type { Caller, HostSession } from '../sessions/session.js';
import type { SessionFactory } from '../sessions/session-factory.js';
import { BackgroundRuns, type Runner, type Work } from './background-runs.js';

/** The realms of the host. */
export interface RealmSource {
  names(): readonly string[];
  get(name: string): Promise<Realm | undefined>;
  /** @returns what ends it */
  onChanged(listener: (name: string) => void): () => void;
}

/** A provider of a plugin that is on in a realm, at work beside requests. */
export interface WorkingProvider {
  readonly work: Work;
  readonly registered: RegisteredProvider;
  /** The checked configuration of the realm. */
  readonly config: unknown;
  /** Aborted when the host ends. */
  readonly signal: AbortSignal;
  /** Makes a call in a session of its own, without a caller. */
  readonly within: <T>(call: (provider: object) => Promise<T>, more?: Pick<Caller, 'fence'>) => Promise<T>;
}

export interface RealmWorksParts {
  readonly registry: ProviderRegistry;
  readonly sessions: SessionFactory;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Work of providers beside requests, in each realm where they are on: looked for when the host has started, and whenever a realm
 * or the plugins change. A host whose plugins have none looks at no realm for it.
 */
export class RealmWorks {
  readonly #parts: RealmWorksParts;
  readonly #isMeant: (provider: RegisteredProvider) => boolean;
  readonly #run: (working: WorkingProvider) => Promise<number | undefined>;
  readonly #onGone: (work: Work) => void;
  readonly #runs: BackgroundRuns;
  /** By generation: whoever wakes work asks for them. */
  readonly #works = new WeakMap<Generation, readonly RegisteredProvider[]>();
  #realms: RealmSource | undefined;
  #unfollow: () => void = () => {};
  #look = Promise.resolve();
  #isOver = false;

  /**
   * @param isMeant whether a provider has such work
   * @param run does it. @returns seconds until it wants to run again; undefined: when it is woken
   * @param onGone told of work that there is no more in a realm, or never was
   */
  constructor(
    parts: RealmWorksParts,
    isMeant: (provider: RegisteredProvider) => boolean,
    run: (working: WorkingProvider) => Promise<number | undefined>,
    onGone: (work: Work) => void = () => {},
  ) {
    this.#parts = parts;
    this.#isMeant = isMeant;
    this.#run = run;
    this.#onGone = onGone;
    const { clock, logger, sessions } = parts;
    // Whoever woke it: what it writes is its own.
    const apart: Runner = async (work, signal) => {
      const again = await sessions.store.unfenced(() => this.#runOne(work, signal));
      if (again === 'gone') this.#onGone(work);
      return again;
    };
    this.#runs = new BackgroundRuns({ run: apart, clock, logger });
  }

  /** Runs what the plugins of now have to do, and from here on whatever comes. Once. */
  open(realms: RealmSource): void {
    this.#realms = realms;
    this.#unfollow = realms.onChanged((name) => void this.#wakeIn(name, this.now()));
    this.renewed();
  }

  /** Other plugins serve: what they have to do is looked for in every realm, one after the other. */
  renewed(): void {
    const works = this.#realms === undefined ? [] : this.now();
    if (works.length === 0) return;
    this.#look = this.#look.then(async () => {
      for (const name of this.#realms?.names() ?? []) {
        if (this.#isOver) return;
        await this.#wakeIn(name, works);
        await turn();
      }
    });
  }

  wake(work: Work): void {
    this.#runs.wake(work);
  }

  /** The providers that have such work now. */
  now(): readonly RegisteredProvider[] {
    const { current } = this.#parts.registry;
    let works = this.#works.get(current);
    if (works === undefined) {
      works = current.list().filter(this.#isMeant);
      this.#works.set(current, works);
    }
    return works;
  }

  /** Resolves when all work that is due now has run. */
  async settled(): Promise<void> {
    await this.#look;
    await this.#runs.settled();
  }

  /** Runs under way are told to end, and are waited for. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#unfollow();
    await Promise.all([this.#look, this.#runs.close()]);
  }

  async #wakeIn(name: string, works: readonly RegisteredProvider[]): Promise<void> {
    if (works.length === 0) return;
    try {
      const realm = await this.#realms?.get(name);
      for (const provider of works) {
        const work = { realm: name, provider: nameOf(provider) };
        if (realm !== undefined && isOn(realm, provider)) this.#runs.wake(work);
        else this.#onGone(work);
      }
    } catch (error) {
      this.#parts.logger.error('background work could not start', { realm: name, reason: messageOf(error) });
    }
  }

  async #runOne(work: Work, signal: AbortSignal): Promise<number | undefined | 'gone'> {
    const realm = await this.#realms?.get(work.realm);
    const generation = this.#parts.registry.current;
    const registered = this.now().find((one) => nameOf(one) === work.provider);
    if (realm?.enabled !== true || registered === undefined || !isOn(realm, registered)) return 'gone';
    const enabled = enabledProvider(generation, realm, registered.spi, registered.id);
    if (enabled === undefined) return 'gone';
    generation.lease();
    try {
      return await this.#run({
        ...{ work, registered, config: enabled.config, signal },
        within: async (call, more = {}) => {
          const caller = { ip: '', secure: true, providers: generation, ...more };
          const session: HostSession = this.#parts.sessions.create(realm, caller, registered.plugin.name);
          const end = () => session.abort();
          signal.addEventListener('abort', end, { once: true });
          try {
            // Asked for before it may be aborted: what is made later is made aborted.
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
