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

/** The folder below the providers folder, so that a copy finds the same dependencies as the package itself. */
export const COPIES = '.generations';

/** The interval, in milliseconds, and the number of checks of a package that is being written. */
const SETTLE_MS = 200;
const TRIES = 25;
/** How many times an unreadable package.json is treated as one that is being written. */
const UNREADABLE_TRIES = 10;
/** How long a package must be unchanged, in milliseconds: a file is empty for a moment before it is written. */
const QUIET_MS = 50;

/**
 * Copies of packages, in a new folder for each loaded version. Modules are cached by file name until the process ends,
 * and the files of a running version must not change. The package's own node_modules is copied; those of parent folders
 * are shared.
 */
export class PackageCopies {
  readonly #dir: string;
  /** The folder whose dependencies copies find by links, if they are not below it. */
  readonly #dependenciesOf: string | undefined;
  #own: Promise<string> | undefined;
  #count = 0;

  /** @param options.pluginCopiesDir the folder for copies, if not below the providers folder */
  constructor({ providersDir, pluginCopiesDir }: { providersDir: string; pluginCopiesDir?: string | undefined }) {
    this.#dir = pluginCopiesDir ?? join(providersDir, COPIES);
    this.#dependenciesOf = pluginCopiesDir === undefined ? undefined : providersDir;
  }

  /**
   * Copies a package when it is no longer being written.
   * @throws BootError `plugin_changing` if that takes longer than 5 seconds, `plugin_copy`, `plugin_shape` if
   * package.json is unreadable for 2 seconds
   */
  async copy(found: Package): Promise<{ package: Package; source: PluginSource }> {
    const own = await this.#folder(found.name);
    let unreadable = 0;
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (tries > 0) await sleep(SETTLE_MS);
      this.#count += 1;
      const dir = join(own, `${found.name.replace('/', '+')}-${this.#count}`);
      try {
        const { changedAt, stamp: quietStamp } = await packageState(found);
        const quiet = Date.now() - changedAt;
        if (quiet >= 0 && quiet < QUIET_MS) await sleep(QUIET_MS - quiet);
        const loadedAt = Date.now();
        const { inode, stamp } = await packageState(found);
        // A file that was changed meanwhile may be incomplete.
        if (stamp !== quietStamp) continue;
        await copyFolder(found.dir, dir, { from: found.dir, to: dir });
        if ((await packageState(found)).stamp === stamp) {
          const copied = { stamp, integrity: await packageDigest(dir) };
          const there = await readPackage(dir);
          if (there instanceof BootError) {
            unreadable += 1;
            if (unreadable === UNREADABLE_TRIES) throw there;
            await rm(dir, { recursive: true, force: true });
            continue;
          }
          return { package: there, source: { package: { ...there, dir: found.dir }, inode, loadedAt, copied } };
        }
      } catch (cause) {
        await rm(dir, { recursive: true, force: true }).catch(() => {});
        if (cause instanceof BootError) throw cause;
        // A package that is being replaced is missing for a moment.
        if (codeOf(cause) !== 'ENOENT') throw this.#cannotCopy(found.name, cause);
      }
      await rm(dir, { recursive: true, force: true });
    }
    throw new BootError('plugin_changing', `${found.name} is still being written`, {
      plugin: found.name,
      hint: 'reload it when its files are complete',
    });
  }

  /** Removes the copies that are no longer needed. */
  async keepOnly(needed: ReadonlySet<string>): Promise<void> {
    if (this.#own === undefined) return;
    const own = await this.#own.catch(() => undefined);
    if (own === undefined) return;
    for (const name of await readdir(own)) {
      const dir = join(own, name);
      if (!needed.has(dir)) await rm(dir, { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    const own = await this.#own?.catch(() => undefined);
    if (own === undefined) return;
    const [first = ''] = relative(this.#dir, own).split(sep);
    await rm(join(this.#dir, first), { recursive: true, force: true });
  }

  async #folder(plugin: string): Promise<string> {
    try {
      this.#own ??= this.#open();
      return await this.#own;
    } catch (cause) {
      this.#own = undefined;
      throw this.#cannotCopy(plugin, cause);
    }
  }

  #cannotCopy(plugin: string, cause: unknown): BootError {
    const reason = codeOf(cause) ?? String(cause);
    return new BootError('plugin_copy', `cannot copy ${plugin} to ${this.#dir} (${reason})`, {
      plugin,
      hint: 'a reloaded plugin runs from a copy: make the folder writable, or set --plugin-copies-dir',
      cause,
    });
  }

  /** Creates a folder for this host only, and removes those of hosts that crashed. */
  async #open(): Promise<string> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const ours = `${hostname()}-`;
    for (const name of await readdir(this.#dir)) {
      const pid = name.startsWith(ours) ? Number(/^\d+/.exec(name.slice(ours.length))?.[0]) : Number.NaN;
      if (pid > 0 && !isRunning(pid)) await rm(join(this.#dir, name), { recursive: true, force: true });
    }
    const own = await mkdtemp(join(this.#dir, `${ours}${process.pid}-`));
    return this.#dependenciesOf === undefined ? own : linkedFolder(own, this.#dependenciesOf);
  }
}

/**
 * Creates a folder below this one in which packages find the same dependencies as in `origin`. It has a folder with a
 * link for each node_modules there and above.
 */
async function linkedFolder(below: string, origin: string): Promise<string> {
  const found: string[] = [];
  const start = await realpath(origin);
  for (let folder = start; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) found.unshift(modules);
    if (dirname(folder) === folder) break;
  }
  let folder = below;
  for (const modules of found) {
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

/** @param roots the package and its copy: links inside the package become links inside the copy */
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
