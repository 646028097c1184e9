import { type BackgroundRun, type BackgroundWork, HostError } from '@keyhost/spi';
import { nameOf, type RealmSource, RealmWorkRunner, type RealmWorkRunnerParts } from './realm-work-runner.js';
import { unknownWork, type WorkKey } from './work-scheduler.js';

export type { RealmSource } from './realm-work-runner.js';

/** In characters. */
const MAX_PART_LENGTH = 128;

/** The background work of plugins' providers. */
export class PluginBackgroundWork {
  readonly #works: RealmWorkRunner;

  constructor(parts: RealmWorkRunnerParts) {
    this.#works = new RealmWorkRunner(
      parts,
      ({ background }) => background,
      async ({ work: { part }, within }) => {
        const run = await within<BackgroundRun | undefined>(async (provider: BackgroundWork) =>
          part === undefined ? provider.background?.() : provider.background?.(part),
        );
        return run?.again;
      },
    );
  }

  /** Runs the current plugins' work, and from now on the work of later ones. Called once. */
  open(realms: RealmSource): void {
    this.#works.open(realms);
  }

  /** Called after plugins have changed: looks for work in every realm, one after the other. */
  pluginsChanged(): void {
    this.#works.pluginsChanged();
  }

  /** @throws HostError `background_unknown` if the plugin has no such work, `invalid_argument` */
  wake(work: WorkKey, plugin: string): void {
    const { provider, part } = work;
    const found = this.#works.currentProviders().some((one) => one.plugin.name === plugin && nameOf(one) === provider);
    if (!found) throw unknownWork(plugin, provider);
    if (part !== undefined && (typeof part !== 'string' || part === '' || part.length > MAX_PART_LENGTH)) {
      throw new HostError(
        'invalid_argument',
        `background.wake: a part is a text of 1 to ${MAX_PART_LENGTH} characters`,
      );
    }
    this.#works.wake(work);
  }

  /** Resolves when all work that is due now has run. */
  settled(): Promise<void> {
    return this.#works.settled();
  }

  /** Aborts active runs, and waits for them to end. */
  close(): Promise<void> {
    return this.#works.close();
  }
}
