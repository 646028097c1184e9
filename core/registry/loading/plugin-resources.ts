import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import { codeOf } from '../../model/thrown.js';

/** The folder in a package that holds its files for browsers. */
const RESOURCES_FOLDER = 'resources';
/** Maximum number of files in the folder, and their maximum total size in bytes. */
const MAX_FILES = 200;
const MAX_BYTES = 5 * 1024 * 1024;
/** A path segment that needs no encoding in a URL. */
const PLAIN_SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** The plugin's files for browsers, as they were when it was loaded. */
export interface PluginResources {
  /** Changes if any file changes, so that a browser can cache a URL with this hash forever. */
  readonly hash: string;
  /** The contents by path, relative to the folder. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * Reads the folder `resources` of a package; returns undefined if there is none. It is read once, so that the path of a
 * request is never used as a path of the file system.
 * @throws BootError `plugin_outside` for a link that leads out of the folder, `plugin_shape` for names and sizes
 */
export async function readResources(directory: string, module: string): Promise<PluginResources | undefined> {
  const root = join(directory, RESOURCES_FOLDER);
  const realRoot = await realpath(root).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  });
  if (realRoot === undefined || !(await stat(realRoot)).isDirectory()) return undefined;
  if (!realRoot.startsWith((await realpath(directory)) + sep)) throw outsideError(module, RESOURCES_FOLDER);
  const files = new Map<string, Buffer>();
  let bytes = 0;
  const readFolder = async (path: string): Promise<void> => {
    for (const name of (await readdir(join(root, path))).sort()) {
      const relativePath = path === '' ? name : `${path}/${name}`;
      if (!PLAIN_SEGMENT.test(name))
        throw shapeError(
          module,
          `${relativePath}: a name is of letters, digits, ".", "-" and "_", without a dot in front`,
        );
      const realFile = await realpath(join(root, relativePath)).catch(() => undefined);
      if (realFile === undefined || !realFile.startsWith(realRoot + sep))
        throw outsideError(module, `${RESOURCES_FOLDER}/${relativePath}`);
      const stats = await stat(realFile);
      if (stats.isDirectory()) {
        if (realFile !== join(realRoot, ...relativePath.split('/')))
          throw outsideError(module, `${RESOURCES_FOLDER}/${relativePath}`);
        await readFolder(relativePath);
        continue;
      }
      bytes += stats.size;
      if (!stats.isFile() || files.size >= MAX_FILES || bytes > MAX_BYTES) {
        throw shapeError(module, `at most ${MAX_FILES} files of ${MAX_BYTES / 1024 / 1024} MiB together`);
      }
      files.set(relativePath, await readFile(realFile));
    }
  };
  await readFolder('');
  const hash = createHash('sha256');
  for (const [path, body] of files) hash.update(`${path}\0${body.length}\0`).update(body);
  return { hash: hash.digest('base64url').slice(0, 22), files };
}

function outsideError(module: string, path: string): BootError {
  return new BootError(
    'plugin_outside',
    `${module}: ${path} is a link to a place outside of the package's ${RESOURCES_FOLDER}`,
    {
      plugin: module,
      hint: 'copy the file into the folder instead of linking it',
    },
  );
}

function shapeError(module: string, reason: string): BootError {
  return new BootError(
    'plugin_shape',
    `${module}: its folder ${RESOURCES_FOLDER} is not one that browsers can load from: ${reason}`,
    {
      plugin: module,
    },
  );
}
