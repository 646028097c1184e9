import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Logger } from '@keyhost/spi';
import { findPackages } from '../loading/find-packages.js';
import { packageFolders } from '../loading/package-files.js';

/** How long files must be unchanged before they are checked, and the maximum time to wait for that, in milliseconds. */
const QUIET_MS = 300;
const PATIENCE_MS = 5_000;

interface Watched {
  readonly watcher: FSWatcher;
  readonly inode: number;
}

/** Calls a function after changes of plugins.json or of packages in the providers folder, one call at a time. */
export class PluginsWatch {
  readonly #pluginsFile: string;
  readonly #providersDir: string;
  readonly #look: () => Promise<unknown>;
  readonly #logger: Logger;
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | undefined;
  #since: number | undefined;
  #running: Promise<void> = Promise.resolve();
  #closed = false;

  /** @param parts.look called after a change; it reports its own failures */
  constructor(parts: { pluginsFile: string; providersDir: string; look: () => Promise<unknown>; logger: Logger }) {
    this.#pluginsFile = resolve(parts.pluginsFile);
    this.#providersDir = resolve(parts.providersDir);
    this.#look = parts.look;
    this.#logger = parts.logger;
  }

  /** Starts to watch. Changes since the plugins were loaded are checked, too. */
  open(): void {
    this.#run();
  }

  /** Stops watching. */
  stop(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const path of [...this.#watched.keys()]) this.#forget(path);
  }

  /** Resolves when the active callback has ended; no further one starts. */
  async close(): Promise<void> {
    this.stop();
    await this.#running;
  }

  #note(folder: string, name: string | null): void {
    if (this.#closed || (name !== null && !this.#matters(folder, name))) return;
    const now = performance.now();
    this.#since ??= now;
    clearTimeout(this.#timer);
    const wait = Math.max(0, Math.min(QUIET_MS, this.#since + PATIENCE_MS - now));
    this.#timer = setTimeout(() => this.#run(), wait).unref();
  }

  /**
   * True if a change matters. Hidden folders are not packages. In the folder of plugins.json only that file matters,
   * and a link through which it is mounted (`..data`).
   */
  #matters(folder: string, name: string): boolean {
    const isPackages = folder === this.#providersDir || folder.startsWith(this.#providersDir + sep);
    if (isPackages && !name.startsWith('.') && name !== 'node_modules') return true;
    return folder === dirname(this.#pluginsFile) && (name === basename(this.#pluginsFile) || name.startsWith('..'));
  }

  #run(): void {
    this.#since = undefined;
    const run = async () => {
      if (this.#closed) return;
      // Watch before checking, so that no change in between is missed.
      await this.#follow();
      await this.#look().catch(() => {});
    };
    this.#running = this.#running.then(run).catch((error: unknown) => {
      this.#logger.error('cannot watch the plugins: use "keyhost plugin reload"', { reason: String(error) });
    });
  }

  /** Watches exactly the existing folders. */
  async #follow(): Promise<void> {
    const folders = new Set([dirname(this.#pluginsFile), ...(await this.#folders())]);
    for (const path of this.#watched.keys()) if (!folders.has(path)) this.#forget(path);
    for (const path of folders) {
      const inode = (await stat(path).catch(() => undefined))?.ino;
      if (this.#closed) return;
      if (inode === this.#watched.get(path)?.inode) continue;
      this.#forget(path);
      if (inode === undefined) continue;
      const watcher = watch(path, { persistent: false }, (_, name) => this.#note(path, name));
      watcher.on('error', () => this.#forget(path));
      this.#watched.set(path, { watcher, inode });
    }
  }

  async #folders(): Promise<string[]> {
    const entries = await readdir(this.#providersDir, { withFileTypes: true }).catch(() => []);
    const folders = entries.length === 0 ? [] : [this.#providersDir];
    for (const { name } of entries) if (name.startsWith('@')) folders.push(join(this.#providersDir, name));
    const { good } = await findPackages(this.#providersDir);
    for (const found of good.values()) folders.push(...(await packageFolders(found).catch(() => [])));
    return folders;
  }

  #forget(path: string): void {
    this.#watched.get(path)?.watcher.close();
    this.#watched.delete(path);
  }
}
