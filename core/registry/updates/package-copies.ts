import { constants, existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readlink, realpath, rm, symlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BootError } from '../../config/boot-error.js';
import { codeOf } from '../../model/thrown.js';
import { type Package, readPackage } from '../loading/find-packages.js';
import type { PluginSource } from '../loading/load-plugins.js';
import { packageState } from '../loading/package-files.js';
import { packageDigest } from '../loading/package-integrity.js';

/**
 * The name of the folder for copies, in the providers folder, so that a copy finds the same dependencies as the package
 * itself.
 */
export const COPIES_FOLDER = '.generations';

/**
 * The pause between two attempts to copy a package that is being written, in milliseconds, and the number of attempts.
 */
const RETRY_PAUSE_MS = 200;
const MAX_ATTEMPTS = 25;
/** After this many attempts, an unreadable package.json is an error. Before that, it counts as being written. */
const MAX_UNREADABLE_ATTEMPTS = 10;
/**
 * How long a package must be unchanged, in milliseconds. A file is empty for a moment before its content is written.
 */
const QUIET_MS = 50;

/**
 * Copies packages into a new folder for each version that is loaded. Node caches modules by file name until the process
 * ends, and the files of a running version must not change. A package's own node_modules is copied; those of parent
 * folders are shared.
 */
export class PackageCopies {
  readonly #dir: string;
  /** The folder to whose dependencies the copies get links; undefined if the copies are inside it. */
  readonly #dependenciesRoot: string | undefined;
  #hostFolder: Promise<string> | undefined;
  #copyCount = 0;

  /** @param options.pluginCopiesDir the folder for copies, if it is not in the providers folder */
  constructor({ providersDir, pluginCopiesDir }: { providersDir: string; pluginCopiesDir?: string | undefined }) {
    this.#dir = pluginCopiesDir ?? join(providersDir, COPIES_FOLDER);
    this.#dependenciesRoot = pluginCopiesDir === undefined ? undefined : providersDir;
  }

  /**
   * Copies a package, as soon as it is no longer being written.
   * @throws BootError `plugin_changing` if that takes longer than 5 seconds, `plugin_copy`, `plugin_shape` if
   * package.json is unreadable for 2 seconds
   */
  async copy(originalPackage: Package): Promise<{ package: Package; source: PluginSource }> {
    const hostFolder = await this.#requireHostFolder(originalPackage.name);
    let unreadableCount = 0;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      if (attempt > 0) await sleep(RETRY_PAUSE_MS);
      this.#copyCount += 1;
      const dir = join(hostFolder, `${originalPackage.name.replace('/', '+')}-${this.#copyCount}`);
      try {
        const { changedAt, stamp: quietStamp } = await packageState(originalPackage);
        const quietMs = Date.now() - changedAt;
        if (quietMs >= 0 && quietMs < QUIET_MS) await sleep(QUIET_MS - quietMs);
        const loadedAt = Date.now();
        const { inode, stamp } = await packageState(originalPackage);
        // A file that was changed in the meantime may be incomplete.
        if (stamp !== quietStamp) continue;
        await copyFolder(originalPackage.dir, dir, { from: originalPackage.dir, to: dir });
        if ((await packageState(originalPackage)).stamp === stamp) {
          const copied = { stamp, integrity: await packageDigest(dir) };
          const copiedPackage = await readPackage(dir);
          if (copiedPackage instanceof BootError) {
            unreadableCount += 1;
            if (unreadableCount === MAX_UNREADABLE_ATTEMPTS) throw copiedPackage;
            await rm(dir, { recursive: true, force: true });
            continue;
          }
          return {
            package: copiedPackage,
            source: { package: { ...copiedPackage, dir: originalPackage.dir }, inode, loadedAt, copied },
          };
        }
      } catch (cause) {
        await rm(dir, { recursive: true, force: true }).catch(() => {});
        if (cause instanceof BootError) throw cause;
        // While a package is replaced, it is missing for a moment.
        if (codeOf(cause) !== 'ENOENT') throw this.#copyError(originalPackage.name, cause);
      }
      await rm(dir, { recursive: true, force: true });
    }
    throw new BootError('plugin_changing', `${originalPackage.name} is still being written`, {
      plugin: originalPackage.name,
      hint: 'reload it when its files are complete',
    });
  }

  /** Deletes all copies except those in these folders. */
  async removeAllExcept(neededDirectories: ReadonlySet<string>): Promise<void> {
    if (this.#hostFolder === undefined) return;
    const hostFolder = await this.#hostFolder.catch(() => undefined);
    if (hostFolder === undefined) return;
    for (const name of await readdir(hostFolder)) {
      const dir = join(hostFolder, name);
      if (!neededDirectories.has(dir)) await rm(dir, { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    const hostFolder = await this.#hostFolder?.catch(() => undefined);
    if (hostFolder === undefined) return;
    const [topFolder = ''] = relative(this.#dir, hostFolder).split(sep);
    await rm(join(this.#dir, topFolder), { recursive: true, force: true });
  }

  async #requireHostFolder(plugin: string): Promise<string> {
    try {
      this.#hostFolder ??= this.#createHostFolder();
      return await this.#hostFolder;
    } catch (cause) {
      this.#hostFolder = undefined;
      throw this.#copyError(plugin, cause);
    }
  }

  #copyError(plugin: string, cause: unknown): BootError {
    const reason = codeOf(cause) ?? String(cause);
    return new BootError('plugin_copy', `cannot copy ${plugin} to ${this.#dir} (${reason})`, {
      plugin,
      hint: 'a reloaded plugin runs from a copy: make the folder writable, or set --plugin-copies-dir',
      cause,
    });
  }

  /** Creates a folder for the copies of this host, and deletes those of hosts that crashed. */
  async #createHostFolder(): Promise<string> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const hostPrefix = `${hostname()}-`;
    for (const name of await readdir(this.#dir)) {
      const pid = name.startsWith(hostPrefix) ? Number(/^\d+/.exec(name.slice(hostPrefix.length))?.[0]) : Number.NaN;
      if (pid > 0 && !isRunning(pid)) await rm(join(this.#dir, name), { recursive: true, force: true });
    }
    const hostFolder = await mkdtemp(join(this.#dir, `${hostPrefix}${process.pid}-`));
    return this.#dependenciesRoot === undefined ? hostFolder : createLinkedFolder(hostFolder, this.#dependenciesRoot);
  }
}

/**
 * Creates a folder in `parent` in which packages find the same dependencies as in `origin`. For each node_modules there
 * and above, it creates a nested folder with a link to it.
 */
async function createLinkedFolder(parent: string, origin: string): Promise<string> {
  const moduleFolders: string[] = [];
  const start = await realpath(origin);
  for (let folder = start; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) moduleFolders.unshift(modules);
    if (dirname(folder) === folder) break;
  }
  let folder = parent;
  for (const modules of moduleFolders) {
    folder = join(folder, 'of');
    await mkdir(folder);
    await symlink(modules, join(folder, 'node_modules'), 'dir');
  }
  const packages = join(folder, 'packages');
  await mkdir(packages);
  return packages;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/** @param roots the package and its copy; links inside the package become links inside the copy */
async function copyFolder(from: string, to: string, roots: { from: string; to: string }): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o700);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (entry.name === '.git') continue;
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyFolder(source, target, roots);
    else if (entry.isSymbolicLink()) await symlink(await linkTarget(source, roots), target);
    else if (entry.isFile()) await copyFile(source, target, constants.COPYFILE_FICLONE);
  }
}

async function linkTarget(link: string, roots: { from: string; to: string }): Promise<string> {
  const text = await readlink(link);
  const target = resolve(dirname(link), text);
  if (target !== roots.from && !target.startsWith(roots.from + sep)) return target;
  return isAbsolute(text) ? roots.to + target.slice(roots.from.length) : text;
}
