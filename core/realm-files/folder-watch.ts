import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';

/** How long the folder must be quiet before it is looked at, and how long that is waited for at most, in milliseconds. */
const QUIET_MS = 100;
const PATIENCE_MS = 1_000;
/** How often everything is looked at whether or not the system told of a change, in milliseconds; rarer when it is slow. */
const LOOK_MS = 5_000;
/** Looking takes at most this part of the time. */
const SHARE = 100;

/** Names of what changed in the folder; undefined: anything may have. */
type Look = (names: ReadonlySet<string> | undefined) => Promise<void>;

/**
 * Calls back when a folder changes, one call at a time: with the names that the system told, and from time to time
 * without, since a system may tell nothing (network file systems, a link whose target changed).
 */
export class FolderWatch {
  readonly #path: string;
  readonly #look: Look;
  readonly #isFileName: (name: string) => boolean;
  #watcher: FSWatcher | undefined;
  #inode: number | undefined;
  #names = new Set<string>();
  #all = false;
  #since = 0;
  #quiet: NodeJS.Timeout | undefined;
  #slow: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #closed = false;

  /** @param isFileName true for names that stand for themselves; a change of any other name may concern every file */
  constructor(path: string, isFileName: (name: string) => boolean, look: Look) {
    this.#path = path;
    this.#isFileName = isFileName;
    this.#look = look;
  }

  /** From here on changes are noted; the first callback comes at once, for all files. */
  open(): void {
    void this.#lookAtAll();
  }

  /** Resolves when the callback under way has ended; none comes after. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#quiet);
    clearTimeout(this.#slow);
    this.#watcher?.close();
    await this.#running;
  }

  /** Calls back soon, also when nothing changes any more. */
  lookSoon(): void {
    if (this.#closed) return;
    const now = performance.now();
    if (this.#quiet === undefined) this.#since = now;
    clearTimeout(this.#quiet);
    const wait = Math.max(0, Math.min(QUIET_MS, this.#since + PATIENCE_MS - now));
    this.#quiet = setTimeout(() => this.#lookAtNoted(), wait).unref();
  }

  /** Does something while no callback runs. */
  inTurn<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#running.then(run, run);
    this.#running = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  #note(name: string | null): void {
    if (name !== null && this.#isFileName(name)) this.#names.add(name);
    else this.#all = true;
    this.lookSoon();
  }

  #lookAtNoted(): void {
    const names = this.#all ? undefined : this.#names;
    this.#quiet = undefined;
    this.#names = new Set();
    this.#all = false;
    void this.#run(names);
  }

  #run(names: ReadonlySet<string> | undefined): Promise<void> {
    const run = async () => {
      if (!this.#closed) await this.#look(names);
    };
    this.#running = this.#running.then(run, run);
    return this.#running;
  }

  async #lookAtAll(): Promise<void> {
    // Watched before it is looked at: what changes in between is told.
    await this.#follow();
    const started = performance.now();
    await this.#run(undefined);
    const took = performance.now() - started;
    if (this.#closed) return;
    this.#slow = setTimeout(() => void this.#lookAtAll(), Math.max(LOOK_MS, took * SHARE)).unref();
  }

  /** Watches the folder that the path leads to now: another one may have taken its place. */
  async #follow(): Promise<void> {
    const inode = await stat(this.#path).then(
      ({ ino }) => ino,
      () => undefined,
    );
    if (this.#closed || (inode === this.#inode && this.#watcher !== undefined)) return;
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#inode = inode;
    if (inode === undefined) return;
    try {
      this.#watcher = watch(this.#path, { persistent: false }, (_, name) => this.#note(name));
      this.#watcher.on('error', () => this.#forget());
    } catch {
      // Too many watches, or a system without them: the folder is looked at all the same, more slowly.
      this.#forget();
    }
  }

  #forget(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
