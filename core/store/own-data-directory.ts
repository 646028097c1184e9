import { prepareDataDirectory } from './sqlite/data-directory.js';
import { lockDataDirectory } from './sqlite/directory-lock.js';

/**
 * Takes a data directory for this process until it ends, for what is in it beside a store.
 * @returns gives it back
 * @throws BootError `store_locked`, `store_failed`
 */
export function ownDataDirectory(dataDir: string): () => Promise<void> {
  const release = lockDataDirectory(prepareDataDirectory(dataDir));
  return async () => release();
}
