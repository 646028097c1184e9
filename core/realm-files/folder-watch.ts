import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';

/** How long the folder must be quiet before a scan, and the maximum wait for that, in milliseconds. */
const QUIET_MS = 100;
const PATIENCE_MS = 1_000;
/**
 * The interval of full scans, with or without change events of the system, in milliseconds; longer if a scan is slow.
 */
const SCAN_INTERVAL_MS = 5_000;
/** A scan takes at most one part in this many of the time. */
const MIN_SCAN_RATIO = 100;

/** Receives the names of changed files; undefined if any file may have changed. */
type Look = (names: ReadonlySet<string> | undefined) => Promise<void>;

/**
 * Calls back when a folder changes, one call at a time. The call has the names from the system's events. Regular calls
 * have none, since a system may miss changes (network file systems, a link whose target changed).
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

  /**
   * @param isFileName true for names of files that affect only themselves; a change of any other name may affect every
   * file
   */
  constructor(path: string, isFileName: (name: string) => boolean, look: Look) {
    this.#path = path;
    this.#isFileName = isFileName;
    this.#look = look;
  }

  /** Starts to watch. The first callback is immediate, for all files. */
  open(): void {
    void this.#lookAtAll();
  }

  /** Resolves when the running callback has ended; no more follow. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#quiet);
    clearTimeout(this.#slow);
    this.#watcher?.close();
    await this.#running;
  }

  /** Calls back soon, even without further changes. */
  scanSoon(): void {
    if (this.#closed) return;
    const now = performance.now();
    if (this.#quiet === undefined) this.#since = now;
    clearTimeout(this.#quiet);
    const wait = Math.max(0, Math.min(QUIET_MS, this.#since + PATIENCE_MS - now));
    this.#quiet = setTimeout(() => this.#lookAtNoted(), wait).unref();
  }

  /** Runs a function while no callback runs. */
  runExclusive<T>(run: () => Promise<T>): Promise<T> {
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
    this.scanSoon();
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
    // Watch before scanning, so that changes during the scan are reported.
    await this.#follow();
    const started = performance.now();
    await this.#run(undefined);
    const took = performance.now() - started;
    if (this.#closed) return;
    this.#slow = setTimeout(() => void this.#lookAtAll(), Math.max(SCAN_INTERVAL_MS, took * MIN_SCAN_RATIO)).unref();
  }

  /** Watches the folder that the path leads to now, since it may have been replaced. */
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
      // Too many watches, or no support for them: the regular scans still find changes, more slowly.
      this.#forget();
    }
  }

  #forget(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
