import { type BackgroundRun, type BackgroundWork, HostError } from '@keyhost/spi';
import { unknownWork, type Work } from './background-runs.js';
import { nameOf, type RealmSource, RealmWorks, type RealmWorksParts } from './realm-works.js';

export type { RealmSource } from './realm-works.js';

/** Characters. */
const LONGEST_PART = 128;

/** The work that providers of plugins do beside requests, whenever there is some. */
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

  /** Runs what the plugins of now have to do, and from here on whatever comes. Once. */
  open(realms: RealmSource): void {
    this.#works.open(realms);
  }

  /** Other plugins serve: what they have to do is looked for in every realm, one after the other. */
  renewed(): void {
    this.#works.renewed();
  }

  /** @throws HostError `background_unknown` where the plugin has no such work, `invalid_argument` */
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

  /** Runs under way are told to end, and are waited for. */
  close(): Promise<void> {
    return this.#works.close();
  }
}
