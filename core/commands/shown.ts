import { relative } from 'node:path';

/** A file or folder as a person would type it. */
export function shown(dir: string): string {
  const path = relative(process.cwd(), dir);
  return path === '' ? '.' : path.startsWith('..') ? dir : path;
}
