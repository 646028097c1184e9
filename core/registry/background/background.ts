import { setImmediate as turn } from 'node:timers/promises';
import { type BackgroundRun, type BackgroundWork, HostError, type Logger, type Spi } from '@keyhost/spi';
import type { Clock } from '../../model/clock.js';
import type { Realm } from '../../model/realm.js';
import { messageOf } from '../../model/thrown.js';
import type { Generation } from '../generations/generation.js';
import { createProvider, enabledProvider, isOn } from '../generations/realm-providers.js';
import type { ProviderRegistry } from '../generations/registry.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';
import type { SessionFactory } from '../sessions/session-factory.js';
import { BackgroundRuns, unknownWork, type Work } from './background-runs.js';

/** Characters. */
const LONGEST_PART = 128;

/** The realms of the host. */
export interface RealmSource {
  names(): readonly string[];
  get(name: string): Promise<Realm | undefined>;
  /** @returns what ends it */
  onChanged(listener: (name: string) => void): () => void;
}

/**
 * The work that providers of plugins do beside requests: in each realm where they are on, in a session of that realm. A
 * host whose plugins have none looks at no realm for it.
 */
export class Background {
  readonly #registry: ProviderRegistry;
  readonly #sessions: SessionFactory;
  readonly #logger: Logger;
  readonly #runs: BackgroundRuns;
  #realms: RealmSource | undefined;
  #unfollow: () => void = () => {};
  #look = Promise.resolve();
  #isOver = false;

  constructor(parts: { registry: ProviderRegistry; sessions: SessionFactory; clock: Clock; logger: Logger }) {
    const { clock, logger } = parts;
    this.#registry = parts.registry;
    this.#sessions = parts.sessions;
    this.#logger = logger;
    this.#runs = new BackgroundRuns({ run: (work, signal) => this.#run(work, signal), clock, logger });
  }

  /** Runs what the plugins of now have to do, and from here on whatever comes. Once. */
  open(realms: RealmSource): void {
    this.#realms = realms;
    this.#unfollow = realms.onChanged((name) => void this.#wakeIn(name, worksOf(this.#registry.current)));
    this.renewed();
  }

  /** Other plugins serve: what they have to do is looked for in every realm, one after the other. */
  renewed(): void {
    const works = this.#realms === undefined ? [] : worksOf(this.#registry.current);
    if (works.length === 0) return;
    this.#look = this.#look.then(async () => {
      for (const name of this.#realms?.names() ?? []) {
        if (this.#isOver) return;
        await this.#wakeIn(name, works);
        await turn();
      }
    });
  }

  /** @throws HostError `background_unknown` where the plugin has no such work, `invalid_argument` */
  wake(work: Work, plugin: string): void {
    const { provider, part } = work;
    const found = worksOf(this.#registry.current).some((one) => one.plugin.name === plugin && nameOf(one) === provider);
    if (!found) throw unknownWork(plugin, provider);
    if (part !== undefined && (typeof part !== 'string' || part === '' || part.length > LONGEST_PART)) {
      throw new HostError('invalid_argument', `background.wake: a part is a text of 1 to ${LONGEST_PART} characters`);
    }
    this.#runs.wake(work);
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
      if (realm === undefined) return;
      for (const work of works) {
        if (isOn(realm, work)) this.#runs.wake({ realm: name, provider: nameOf(work) });
      }
    } catch (error) {
      this.#logger.error('background work could not start', { realm: name, reason: messageOf(error) });
    }
  }

  async #run({ realm: name, provider: wanted, part }: Work, signal: AbortSignal): Promise<number | undefined | 'gone'> {
    const realm = await this.#realms?.get(name);
    const generation = this.#registry.current;
    const registered = worksOf(generation).find((one) => nameOf(one) === wanted);
    if (realm?.enabled !== true || registered === undefined || !isOn(realm, registered)) return 'gone';
    const enabled = enabledProvider(generation, realm, registered.spi, registered.id);
    if (enabled === undefined) return 'gone';
    generation.lease();
    const caller = { ip: '', secure: true, providers: generation };
    const session = this.#sessions.create(realm, caller, registered.plugin.name);
    const end = () => session.abort();
    signal.addEventListener('abort', end, { once: true });
    try {
      // Asked for before it may be aborted: what is made later is made aborted.
      void session.signal;
      const provider = createProvider(enabled, session) as BackgroundWork;
      const run: BackgroundRun | undefined = await (part === undefined
        ? provider.background?.()
        : provider.background?.(part));
      return run?.again;
    } finally {
      signal.removeEventListener('abort', end);
      await session.close();
      generation.release();
    }
  }
}

const nameOf = ({ spi, id }: { readonly spi: Spi; readonly id: string }) => `${spi.id}/${id}`;

/** By generation: whoever wakes work asks for them. */
const WORKS = new WeakMap<Generation, readonly RegisteredProvider[]>();

function worksOf(generation: Generation): readonly RegisteredProvider[] {
  let works = WORKS.get(generation);
  if (works === undefined) {
    works = generation.list().filter(({ background }) => background);
    WORKS.set(generation, works);
  }
  return works;
}
