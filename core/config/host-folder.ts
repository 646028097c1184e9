import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BootError } from './boot-error.js';

/** The folder of this Keyhost: a checkout, or the package `keyhost` in a node_modules. */
export const HOST_DIR = hostFolder();

/**
 * Finds the folder above this file that has `core/keyhost.js`: the compiler's output and the bundle are at different
 * depths.
 */
function hostFolder(): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'core', 'keyhost.js'))) return folder;
    if (dirname(folder) === folder) {
      throw new BootError('options_invalid', `no core/keyhost.js above ${start}`, {
        hint: 'the installation is incomplete: install Keyhost again',
      });
    }
  }
}
