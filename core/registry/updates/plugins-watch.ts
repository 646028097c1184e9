import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Logger } from '@keyhost/spi';
import { findPackages } from '../loading/find-packages.js';
import { packageFolders } from '../loading/package-files.js';

/**
 * How long the files must be unchanged before the callback is called, and the maximum time to wait for that, in
 * milliseconds.
 */
const QUIET_MS = 300;
const MAX_WAIT_MS = 5_000;

interface WatchedFolder {
  readonly watcher: FSWatcher;
  readonly inode: number;
}

/** Calls a function after changes of plugins.json or of packages in the providers folder, one call at a time. */
export class PluginsWatch {
  readonly #pluginsFile: string;
  readonly #providersDir: string;
  readonly #parts: { pluginsFile: string; providersDir: string; onChange: () => Promise<unknown>; logger: Logger };
  readonly #watchedFolders = new Map<string, WatchedFolder>();
  #timer: NodeJS.Timeout | undefined;
  #changedSince: number | undefined;
  #activeCallback: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** @param parts.onChange called after a change; it must log its own failures */
  constructor(parts: { pluginsFile: string; providersDir: string; onChange: () => Promise<unknown>; logger: Logger }) {
    this.#parts = parts;
    this.#pluginsFile = resolve(parts.pluginsFile);
    this.#providersDir = resolve(parts.providersDir);
  }

  /** Starts to watch, and calls the callback once for changes since the plugins were loaded. */
  open(): void {
    this.#runCallback();
  }

  /** Stops watching. */
  stop(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const path of [...this.#watchedFolders.keys()]) this.#unwatch(path);
  }

  /** Stops watching, and resolves when the active callback has ended. */
  async close(): Promise<void> {
    this.stop();
    await this.#activeCallback;
  }

  #handleChange(folder: string, name: string | null): void {
    if (this.#isClosed || (name !== null && !this.#isRelevant(folder, name))) return;
    const now = performance.now();
    this.#changedSince ??= now;
    clearTimeout(this.#timer);
    const wait = Math.max(0, Math.min(QUIET_MS, this.#changedSince + MAX_WAIT_MS - now));
    this.#timer = setTimeout(() => this.#runCallback(), wait).unref();
  }

  /**
   * True if the plugins may be affected by a change. Hidden folders are not packages. In the folder of plugins.json
   * only that file is relevant, and the link by which Kubernetes mounts it (`..data`).
   */
  #isRelevant(folder: string, name: string): boolean {
    const isInProvidersDir = folder === this.#providersDir || folder.startsWith(this.#providersDir + sep);
    if (isInProvidersDir && !name.startsWith('.') && name !== 'node_modules') return true;
    return folder === dirname(this.#pluginsFile) && (name === basename(this.#pluginsFile) || name.startsWith('..'));
  }

  #runCallback(): void {
    this.#changedSince = undefined;
    const run = async () => {
      if (this.#isClosed) return;
      // Watch first, so that no change between the two calls is missed.
      await this.#watchFolders();
      await this.#parts.onChange().catch(() => {});
    };
    this.#activeCallback = this.#activeCallback.then(run).catch((error: unknown) => {
      this.#parts.logger.error('cannot watch the plugins: use "keyhost plugin reload"', { reason: String(error) });
    });
  }

  /** Updates the watchers to match the folders that exist now. */
  async #watchFolders(): Promise<void> {
    const folders = new Set([dirname(this.#pluginsFile), ...(await this.#listFolders())]);
    for (const path of this.#watchedFolders.keys()) if (!folders.has(path)) this.#unwatch(path);
    for (const path of folders) {
      const inode = (await stat(path).catch(() => undefined))?.ino;
      if (this.#isClosed) return;
      if (inode === this.#watchedFolders.get(path)?.inode) continue;
      this.#unwatch(path);
      if (inode === undefined) continue;
      const watcher = watch(path, { persistent: false }, (_, name) => this.#handleChange(path, name));
      watcher.on('error', () => this.#unwatch(path));
      this.#watchedFolders.set(path, { watcher, inode });
    }
  }

  async #listFolders(): Promise<string[]> {
    const entries = await readdir(this.#providersDir, { withFileTypes: true }).catch(() => []);
    const folders = entries.length === 0 ? [] : [this.#providersDir];
    for (const { name } of entries) if (name.startsWith('@')) folders.push(join(this.#providersDir, name));
    const { valid } = await findPackages(this.#providersDir);
    for (const listedPackage of valid.values()) folders.push(...(await packageFolders(listedPackage).catch(() => [])));
    return folders;
  }

  #unwatch(path: string): void {
    this.#watchedFolders.get(path)?.watcher.close();
    this.#watchedFolders.delete(path);
  }
}
