import { type BackgroundRun, type BackgroundWork, HostError } from '@keyhost/spi';
import { providerName, type RealmSource, RealmWorkRunner, type RealmWorkRunnerParts } from './realm-work-runner.js';
import { unknownWorkError, type WorkKey } from './work-scheduler.js';

export type { RealmSource } from './realm-work-runner.js';

/** The maximum length of a part's name, in characters. */
const MAX_PART_LENGTH = 128;

/** The background work of plugins' providers. */
export class PluginBackgroundWork {
  readonly #workRunner: RealmWorkRunner;

  constructor(parts: RealmWorkRunnerParts) {
    this.#workRunner = new RealmWorkRunner(
      parts,
      ({ background }) => background,
      async ({ work: { part }, runWithProvider }) => {
        const run = await runWithProvider<BackgroundRun | undefined>(async (provider: BackgroundWork) =>
          part === undefined ? provider.background?.() : provider.background?.(part),
        );
        return run?.again;
      },
    );
  }

  /** Runs the work of the current plugins, and from now on that of plugins that are loaded later. Called once. */
  open(realms: RealmSource): void {
    this.#workRunner.open(realms);
  }

  /** Called after plugins have changed. Looks for work in one realm after the other. */
  pluginsChanged(): void {
    this.#workRunner.pluginsChanged();
  }

  /**
   * Runs a plugin's work as soon as possible.
   * @throws HostError `background_unknown` if the plugin has no such work, `invalid_argument` for an invalid part
   */
  wake(work: WorkKey, plugin: string): void {
    const { provider, part } = work;
    const hasWork = this.#workRunner
      .currentProviders()
      .some(
        (registeredProvider) =>
          registeredProvider.plugin.name === plugin && providerName(registeredProvider) === provider,
      );
    if (!hasWork) throw unknownWorkError(plugin, provider);
    if (part !== undefined && (typeof part !== 'string' || part === '' || part.length > MAX_PART_LENGTH)) {
      throw new HostError(
        'invalid_argument',
        `background.wake: a part is a text of 1 to ${MAX_PART_LENGTH} characters`,
      );
    }
    this.#workRunner.wake(work);
  }

  /** Resolves when all work that is due now has run. */
  settled(): Promise<void> {
    return this.#workRunner.settled();
  }

  /** Aborts active runs, and waits for them to end. */
  close(): Promise<void> {
    return this.#workRunner.close();
  }
}
