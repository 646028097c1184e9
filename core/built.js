import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const dist = (path) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));

/** Written last, by `npm run build`. */
const BUNDLE = dist('bundle/package.json');
/** Written by `tsc -b` in development; an installed package has none. */
const COMPILED = dist('tsconfig.tsbuildinfo');

/**
 * The location of a program of the host: in the bundle, or in the compiler's output if the bundle is missing or older.
 * @param name of the program in the bundle
 * @param compiled its path in the compiler's output
 * @returns undefined if neither is built
 */
export function built(name, compiled) {
  const since = writtenAt(BUNDLE);
  if (since !== undefined && since >= (writtenAt(COMPILED) ?? 0))
    return { path: dist(`bundle/${name}.js`), isBundle: true };
  const path = dist(compiled);
  return existsSync(path) ? { path, isBundle: false } : undefined;
}

function writtenAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
