import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes the directory entry of a file to disk, so that its name survives a crash. */
export function syncDirectoryOf(file: string): void {
  // Windows cannot open directories.
  if (process.platform === 'win32') return;
  syncFile(dirname(file));
}

/** Writes the content of a file to disk. */
export function syncFile(file: string): void {
  const descriptor = openSync(file, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
