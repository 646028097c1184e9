import { prepareDataDirectory } from './sqlite/data-directory.js';
import { lockDataDirectory } from './sqlite/directory-lock.js';

/**
 * Locks a data directory for this process until it ends, because it holds other files than the store too.
 * @returns a function that releases it
 * @throws BootError `store_locked`, `store_failed`
 */
export function ownDataDirectory(dataDir: string): () => Promise<void> {
  const release = lockDataDirectory(prepareDataDirectory(dataDir));
  return async () => release();
}
