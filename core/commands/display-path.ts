import { relative } from 'node:path';

/** The path as a person would type it. */
export function displayPath(dir: string): string {
  const path = relative(process.cwd(), dir);
  return path === '' ? '.' : path.startsWith('..') ? dir : path;
}
