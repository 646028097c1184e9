import { constants, existsSync, statfsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { BootError } from '../../config/boot-error.js';
import type { HostOptions } from '../../config/options/options.js';
import { formatStoreLocation, openStoreForReading, type ReadableStore } from '../../store/open-store.js';
import { type Finding, findings } from './finding.js';

const MIB = 1024 * 1024;
/** Less free space is a problem, since writes would soon fail. */
const MIN_FREE_BYTES = 200 * MIB;
const LOW_FREE_BYTES = 1024 * MIB;

/**
 * Checks that the store can be read and the data directory can be written.
 * @param inspectStore called with the open store
 */
export async function checkDatabase(
  options: HostOptions,
  inspectStore: (store: ReadableStore) => Promise<Finding[]>,
): Promise<Finding[]> {
  const { ok, problem } = findings('database');
  const found: Finding[] = [];
  const dir = nearestFolder(options.dataDir);
  const isWritable = await access(dir, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) found.push(problem(`this user cannot write ${dir}`, 'set --data-dir, or its owner'));
  try {
    const store = await openStoreForReading(options);
    if (store === undefined)
      return [...found, ok(`${formatStoreLocation(options)} has no store yet: the first start creates it`)];
    try {
      const realms = (await store.realms.list()).length;
      found.push(
        ok(`${formatStoreLocation(options)} has ${realms} ${realms === 1 ? 'realm' : 'realms'}`),
        ...(await inspectStore(store)),
      );
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    found.push(problem(error.message, error.hint ?? 'read the log of the server'));
  }
  return found;
}

/** Checks the free space of the data directory. */
export function checkDisk({ dataDir }: HostOptions): Finding[] {
  const { ok, warning, problem } = findings('disk');
  const dir = nearestFolder(dataDir);
  const { bavail, bsize } = statfsSync(dir);
  const freeBytes = bavail * bsize;
  const text = `${Math.floor(freeBytes / MIB)} MiB free in ${dir}`;
  const fix = 'delete files, or move --data-dir to a larger disk';
  if (freeBytes < MIN_FREE_BYTES) return [problem(text, fix)];
  return [freeBytes < LOW_FREE_BYTES ? warning(text, fix) : ok(text)];
}

/** The folder itself if it exists, or its nearest existing parent. */
function nearestFolder(folder: string): string {
  let dir = resolve(folder);
  while (!existsSync(dir) && dirname(dir) !== dir) dir = dirname(dir);
  return dir;
}
