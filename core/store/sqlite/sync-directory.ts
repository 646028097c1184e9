import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** After this the name of the file is on disk, too. */
export function syncDirectoryOf(file: string): void {
  // Windows opens no directories.
  if (process.platform === 'win32') return;
  syncFile(dirname(file));
}

/** After this what was written to the file is on disk. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
