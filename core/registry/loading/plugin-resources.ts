import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { codeOf } from '../../model/thrown.js';

/** The folder of a package with its files for browsers. */
const FOLDER = 'resources';
/** Maximum number of files of a package, and of their total bytes. */
const MOST_FILES = 200;
const MOST_BYTES = 5 * 1024 * 1024;
/** A path segment that needs no encoding in a URL. */
const PLAIN = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** The files of a plugin for browsers, as they were when it was loaded. */
export interface PluginResources {
  /** Changes with any file, so that a URL with this hash can be cached forever. */
  readonly hash: string;
  /** The files by their paths below the folder. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * Reads the folder `resources` of a package; undefined if there is none. It is read once, so that a request's path is
 * never used as a path of the file system.
 * @throws BootError `plugin_outside` for a link that leads out of the folder, `plugin_shape` for names and sizes
 */
export async function readResources(directory: string, module: string): Promise<PluginResources | undefined> {
  const root = join(directory, FOLDER);
  const real = await realpath(root).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  });
  if (real === undefined || !(await stat(real)).isDirectory()) return undefined;
  if (!real.startsWith((await realpath(directory)) + sep)) throw outside(module, FOLDER);
  const files = new Map<string, Buffer>();
  let bytes = 0;
  const read = async (path: string): Promise<void> => {
    for (const name of (await readdir(join(root, path))).sort()) {
      const below = path === '' ? name : `${path}/${name}`;
      if (!PLAIN.test(name))
        throw wrong(module, `${below}: a name is of letters, digits, ".", "-" and "_", without a dot in front`);
      const place = await realpath(join(root, below)).catch(() => undefined);
      if (place === undefined || !place.startsWith(real + sep)) throw outside(module, `${FOLDER}/${below}`);
      const found = await stat(place);
      if (found.isDirectory()) {
        if (place !== join(real, ...below.split('/'))) throw outside(module, `${FOLDER}/${below}`);
        await read(below);
        continue;
      }
      bytes += found.size;
      if (!found.isFile() || files.size >= MOST_FILES || bytes > MOST_BYTES) {
        throw wrong(module, `at most ${MOST_FILES} files of ${MOST_BYTES / 1024 / 1024} MiB together`);
      }
      files.set(below, await readFile(place));
    }
  };
  await read('');
  const hash = createHash('sha256');
  for (const [path, body] of files) hash.update(`${path}\0${body.length}\0`).update(body);
  return { hash: hash.digest('base64url').slice(0, 22), files };
}

function outside(module: string, path: string): BootError {
  return new BootError('plugin_outside', `${module}: ${path} is a link to a place outside of the package's ${FOLDER}`, {
    plugin: module,
    hint: 'copy the file into the folder instead of linking it',
  });
}

function wrong(module: string, what: string): BootError {
  return new BootError(
    'plugin_shape',
    `${module}: its folder ${FOLDER} is not one that browsers can load from: ${what}`,
    {
      plugin: module,
    },
  );
}
