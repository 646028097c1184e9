import { type BackgroundRun, type BackgroundWork, HostError } from '@keyhost/spi';
import { unknownWork, type Work } from './background-runs.js';
import { nameOf, type RealmSource, RealmWorks, type RealmWorksParts } from './realm-works.js';

export type { RealmSource } from './realm-works.js';

/** In characters. */
const LONGEST_PART = 128;

/** The background work of plugins' providers. */
export class Background {
  readonly #works: RealmWorks;

  constructor(parts: RealmWorksParts) {
    this.#works = new RealmWorks(
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
  renewed(): void {
    this.#works.renewed();
  }

  /** @throws HostError `background_unknown` if the plugin has no such work, `invalid_argument` */
  wake(work: Work, plugin: string): void {
    const { provider, part } = work;
    const found = this.#works.now().some((one) => one.plugin.name === plugin && nameOf(one) === provider);
    if (!found) throw unknownWork(plugin, provider);
    if (part !== undefined && (typeof part !== 'string' || part === '' || part.length > LONGEST_PART)) {
      throw new HostError('invalid_argument', `background.wake: a part is a text of 1 to ${LONGEST_PART} characters`);
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
