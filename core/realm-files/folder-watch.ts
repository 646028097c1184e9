import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';

/** How long the folder must be quiet before a scan, and the maximum wait for that, in milliseconds. */
const QUIET_MS = 100;
const MAX_WAIT_MS = 1_000;
/**
 * The interval of full scans, with or without change events of the system, in milliseconds; longer if a scan is slow.
 */
const SCAN_INTERVAL_MS = 5_000;
/** Minimum ratio of the interval to the duration of a scan, so that scans take at most one per cent of the time. */
const MIN_INTERVAL_RATIO = 100;

/** Receives the names of changed files; undefined if any file may have changed. */
type ScanCallback = (names: ReadonlySet<string> | undefined) => Promise<void>;

/**
 * Calls back when a folder changes, one call at a time. The call has the names from the system's events. Regular calls
 * have none, since a system may miss changes (network file systems, a link whose target changed).
 */
export class FolderWatch {
  readonly #path: string;
  readonly #scan: ScanCallback;
  readonly #isFileName: (name: string) => boolean;
  #watcher: FSWatcher | undefined;
  #inode: number | undefined;
  #names = new Set<string>();
  #mayAnyHaveChanged = false;
  #firstChangeAt = 0;
  #quietTimer: NodeJS.Timeout | undefined;
  #scanTimer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  /**
   * @param isFileName true for names of files that affect only themselves; a change of any other name may affect every
   * file
   */
  constructor(path: string, isFileName: (name: string) => boolean, scan: ScanCallback) {
    this.#path = path;
    this.#isFileName = isFileName;
    this.#scan = scan;
  }

  /** Starts to watch. The first callback is immediate, for all files. */
  open(): void {
    void this.#scanAll();
  }

  /** Resolves when the running callback has ended; no more follow. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#quietTimer);
    clearTimeout(this.#scanTimer);
    this.#watcher?.close();
    await this.#running;
  }

  /** Calls back soon, even without further changes. */
  scanSoon(): void {
    if (this.#isClosed) return;
    const now = performance.now();
    if (this.#quietTimer === undefined) this.#firstChangeAt = now;
    clearTimeout(this.#quietTimer);
    const wait = Math.max(0, Math.min(QUIET_MS, this.#firstChangeAt + MAX_WAIT_MS - now));
    this.#quietTimer = setTimeout(() => this.#scanChanged(), wait).unref();
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

  #noteChange(name: string | null): void {
    if (name !== null && this.#isFileName(name)) this.#names.add(name);
    else this.#mayAnyHaveChanged = true;
    this.scanSoon();
  }

  #scanChanged(): void {
    const names = this.#mayAnyHaveChanged ? undefined : this.#names;
    this.#quietTimer = undefined;
    this.#names = new Set();
    this.#mayAnyHaveChanged = false;
    void this.#run(names);
  }

  #run(names: ReadonlySet<string> | undefined): Promise<void> {
    const run = async () => {
      if (!this.#isClosed) await this.#scan(names);
    };
    this.#running = this.#running.then(run, run);
    return this.#running;
  }

  async #scanAll(): Promise<void> {
    // Watch before scanning, so that changes during the scan are reported.
    await this.#watchCurrentFolder();
    const started = performance.now();
    await this.#run(undefined);
    const durationMs = performance.now() - started;
    if (this.#isClosed) return;
    this.#scanTimer = setTimeout(
      () => void this.#scanAll(),
      Math.max(SCAN_INTERVAL_MS, durationMs * MIN_INTERVAL_RATIO),
    ).unref();
  }

  /** Watches the folder that the path leads to now, since it may have been replaced. */
  async #watchCurrentFolder(): Promise<void> {
    const inode = await stat(this.#path).then(
      ({ ino }) => ino,
      () => undefined,
    );
    if (this.#isClosed || (inode === this.#inode && this.#watcher !== undefined)) return;
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#inode = inode;
    if (inode === undefined) return;
    try {
      this.#watcher = watch(this.#path, { persistent: false }, (_, name) => this.#noteChange(name));
      this.#watcher.on('error', () => this.#stopWatching());
    } catch {
      // Too many watches, or no support for them: the regular scans still find changes, more slowly.
      this.#stopWatching();
    }
  }

  #stopWatching(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
