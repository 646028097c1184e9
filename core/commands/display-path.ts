import { relative } from 'node:path';

/** The path relative to the working directory if it is below it, and otherwise the path itself. */
export function displayPath(dir: string): string {
  const path = relative(process.cwd(), dir);
  return path === '' ? '.' : path.startsWith('..') ? dir : path;
}
